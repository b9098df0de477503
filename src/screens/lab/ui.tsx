/** The UI kit demo: every component in every state, in both themes and all three colour conventions. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { chooseAppearance, CONVENTIONS, currentAppearance, THEMES } from "#src/gateway/theme.ts";
import type { Appearance } from "#src/gateway/theme.ts";
import { Segmented } from "#src/ui/choice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { Choices, Fields } from "./inputs.tsx";
import { Buttons, Overlays, Slides } from "./actions.tsx";
import { LongList, Rows } from "./lists.tsx";
import { States } from "./states.tsx";
import styles from "./lab.module.css";

export function UiKit() {
  const { t } = useTranslation();
  const [appearance, setAppearance] = useState(currentAppearance);
  const change = (part: Partial<Appearance>): void => {
    const next = { ...appearance, ...part };
    chooseAppearance(next);
    setAppearance(next);
  };
  return (
    <Screen
      header={<BackHeader title={t("app.title.lab")} fallback="/login/start" />}
      top={
        <div className={styles.switches}>
          <Segmented
            label={t("information.theme")}
            options={THEMES.map((value) => ({ value, label: t(`information.themes.${value}`) }))}
            value={appearance.theme}
            onChoose={(theme) => change({ theme })}
          />
          <Segmented
            label={t("information.convention")}
            options={CONVENTIONS.map((value) => ({ value, label: value }))}
            value={appearance.convention}
            onChoose={(convention) => change({ convention })}
          />
        </div>
      }
    >
      <div className={styles.page}>
        <Buttons />
        <Slides />
        <Fields />
        <Choices />
        <Rows />
        <Overlays />
        <States />
        <LongList />
      </div>
    </Screen>
  );
}
