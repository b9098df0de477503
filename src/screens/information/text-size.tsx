/** The setting of the text size, kept on this device in a cookie that `public/boot.js` reads before the first paint. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Segmented } from "#src/ui/choice.tsx";
import { Section } from "#src/ui/row.tsx";
import styles from "./information.module.css";

/** `src/styles/base.css` has the scale of each. */
export const TEXT_SIZES = ["standard", "large", "larger", "largest"] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

const YEAR_S = 365 * 24 * 60 * 60;

function currentTextSize(): TextSize {
  const { text } = document.documentElement.dataset;
  return TEXT_SIZES.find((one) => one === text) ?? "standard";
}

export function TextSizeSetting() {
  const { t } = useTranslation();
  const [size, setSize] = useState(currentTextSize);
  const choose = (next: TextSize): void => {
    document.documentElement.dataset["text"] = next;
    document.cookie = `text=${next}; path=/; max-age=${YEAR_S}; samesite=lax`;
    setSize(next);
  };
  return (
    <Section title={t("information.textSize")}>
      <div className={styles.inset}>
        <Segmented
          label={t("information.textSize")}
          options={TEXT_SIZES.map((value) => ({ value, label: t(`information.textSizes.${value}`) }))}
          value={size}
          onChoose={choose}
        />
      </div>
    </Section>
  );
}
