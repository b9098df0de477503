/** A field to sign in by finger, pen or mouse; its library loads when the field is shown. */
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type SignaturePad from "signature_pad";
import { SIGNATURE_HEIGHT, SIGNATURE_WIDTH } from "#contract/signature.ts";
import type { Strokes } from "#contract/signature.ts";
import { Button } from "./button.tsx";
import styles from "./signature-field.module.css";

/** Points of a stroke that are sent; of a longer one every second, third, … point. */
const MOST_POINTS = 500;

function inBox(value: number, of: number, box: number): number {
  return Math.min(box, Math.max(0, Math.round((value / of) * box)));
}

/** The strokes in the box of the contract, whatever the field's size. */
function strokesOf(pad: SignaturePad, { clientWidth, clientHeight }: HTMLCanvasElement): Strokes {
  return pad.toData().map(({ points }) => {
    const step = Math.ceil(points.length / MOST_POINTS);
    return points
      .filter((_, at) => at % step === 0 || at === points.length - 1)
      .map(({ x, y }): [number, number] => [inBox(x, clientWidth, SIGNATURE_WIDTH), inBox(y, clientHeight, SIGNATURE_HEIGHT)]);
  });
}

export interface SignatureFieldProps {
  label: string;
  hint: string;
  /** The label of the button that empties it. */
  clear: string;
  error: string | null;
  onStrokes: (strokes: Strokes) => void;
}

export function SignatureField({ label, hint, clear, error, onStrokes }: SignatureFieldProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad | null>(null);
  const [ready, setReady] = useState(false);
  const id = useId();
  const described = [error ? `${id}-error` : "", `${id}-hint`].filter(Boolean).join(" ");
  const drawn = useEffectEvent(onStrokes);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let left = false;
    void import("signature_pad").then(({ default: Pad }) => {
      if (left) return;
      const ratio = Math.max(1, window.devicePixelRatio);
      element.width = element.clientWidth * ratio;
      element.height = element.clientHeight * ratio;
      element.getContext("2d")?.scale(ratio, ratio);
      const made = new Pad(element, { penColor: "#111111" });
      made.addEventListener("endStroke", () => drawn(strokesOf(made, element)));
      pad.current = made;
      setReady(true);
    });
    return () => {
      left = true;
      pad.current?.off();
    };
  }, []);
  return (
    <div className={styles.pad}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        aria-describedby={described}
        data-ready={ready || undefined}
        data-invalid={error ? true : undefined}
        // A wrong field is focused; this one takes no focus otherwise.
        tabIndex={-1}
      />
      {error && (
        <p className={styles.trouble} id={`${id}-error`}>
          {error}
        </p>
      )}
      <p className={styles.plain} id={`${id}-hint`}>
        {hint}
      </p>
      <Button
        onClick={() => {
          pad.current?.clear();
          onStrokes([]);
        }}
      >
        {clear}
      </Button>
    </div>
  );
}
