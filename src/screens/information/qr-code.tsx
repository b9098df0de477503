/** A QR code as one image. */
import { encode } from "uqr";
import styles from "./qr-code.module.css";

/** Light modules around the code, which readers need. */
const QUIET_MODULES = 4;

/** The dark modules of a QR code as one path of unit squares. */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_MODULES });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { size, path };
}

/** Black on white in every theme: readers need the contrast. */
export function QrCode({ text, label, pixels }: { text: string; label: string; pixels: number }) {
  const { size, path } = qrPath(text);
  return (
    <svg className={styles.qr} role="img" aria-label={label} width={pixels} height={pixels} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
