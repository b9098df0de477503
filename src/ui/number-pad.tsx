/** The docked number pad with twelve 48 px keys that replaces the system keyboard in an order ticket. */
import { Delete } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PadKey } from "./pad-key.ts";
import styles from "./number-pad.module.css";

const KEYS: readonly PadKey[] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "0", "back"];

/** The pad; the field keeps its focus while keys are pressed. `typeKey` of `pad-key.ts` applies a key to a text. */
export function NumberPad({ onKey, onDone, decimal = true }: { onKey: (key: PadKey) => void; onDone: () => void; decimal?: boolean }) {
  const { t } = useTranslation();
  return (
    <div
      className={styles.pad}
      role="group"
      aria-label={t("ui.numberPad")}
      // A press must not take the focus from the field it types into.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      <div className={styles.keys}>
        {KEYS.map((key) => (
          <button
            key={key}
            type="button"
            className={styles.key}
            tabIndex={-1}
            disabled={key === "." && !decimal}
            aria-label={key === "back" ? t("ui.deleteDigit") : key === "." ? t("ui.decimalPoint") : key}
            onClick={() => onKey(key)}
          >
            {key === "back" ? <Delete size={22} aria-hidden /> : key}
          </button>
        ))}
      </div>
      <button type="button" className={styles.done} onClick={onDone}>
        {t("ui.done")}
      </button>
    </div>
  );
}
