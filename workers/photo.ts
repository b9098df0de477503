/** Shrinks photos: upright, at most 2,000 pixels a side, as a JPEG without any metadata. */

const MAX_SIDE = 2_000;
const QUALITY = 0.9;

export interface ShrunkPhoto {
  /** The JPEG in base64. */
  content: string;
  width: number;
  height: number;
}

export interface PhotoApi {
  /** Rejects when it is no picture the browser can read. */
  shrink(file: Blob): Promise<ShrunkPhoto>;
}

/** The size that fits, in the same proportions. */
export function fittingSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Drawing it again drops everything but the picture: EXIF, with it the place where it was taken. */
export async function shrink(file: Blob): Promise<ShrunkPhoto> {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  const { width, height } = fittingSize(bitmap.width, bitmap.height);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
  const url = new FileReaderSync().readAsDataURL(blob);
  return { content: url.slice(url.indexOf(",") + 1), width, height };
}
