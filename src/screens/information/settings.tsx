/** Settings: language, secrets, risk controls, theme, colour convention, text size, density, notifications, streaming, passkeys, devices and sign-out. */
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { leaveSession } from "#src/actors/session.ts";
import { currentLanguage, LANGUAGES, loadTranslations } from "#src/gateway/language.ts";
import { chooseAppearance, CONVENTIONS, currentAppearance, THEMES } from "#src/gateway/theme.ts";
import type { Appearance } from "#src/gateway/theme.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button } from "#src/ui/button.tsx";
import { RadioList, Segmented } from "#src/ui/choice.tsx";
import { Direction } from "#src/ui/direction.tsx";
import { List, Row, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { Skeleton } from "#src/ui/state.tsx";
import { RowDensity } from "./row-density.tsx";
import { SharedNote } from "./shared-note.tsx";
import { Signals } from "./signals.tsx";
import { Streaming } from "./streaming.tsx";
import { TextSizeSetting } from "./text-size.tsx";
import styles from "./information.module.css";

const Security = lazy(async () => {
  const [part] = await Promise.all([import("./security.tsx"), loadTranslations("documents")]);
  return { default: part.Security };
});

export function Settings() {
  const { t } = useTranslation();
  const [appearance, setAppearance] = useState(currentAppearance);
  const change = (part: Partial<Appearance>): void => {
    const next = { ...appearance, ...part };
    chooseAppearance(next);
    setAppearance(next);
  };
  return (
    <Screen header={<BackHeader title={t("information.settingsTitle")} fallback="/information/index" />}>
      <div className={styles.page}>
        <SharedNote />
        <Section>
          <List>
            <Row title={t("information.languageRow")} trailing={LANGUAGES[currentLanguage()]} to="/information/changeLang" />
            <Row title={t("app.title.loginPassword")} subtitle={t("information.loginPasswordHint")} to="/information/loginPass" />
            <Row title={t("app.title.fundPassword")} subtitle={t("information.fundPasswordHint")} to="/information/fundPass" />
            <Row title={t("app.title.privacy")} subtitle={t("information.privacyHint")} to="/information/userPrivacy" />
            <Row title={t("risk.title")} subtitle={t("risk.hint")} to="/information/risk" />
          </List>
        </Section>
        <Section title={t("information.theme")}>
          <div className={styles.inset}>
            <Segmented
              label={t("information.theme")}
              options={THEMES.map((value) => ({ value, label: t(`information.themes.${value}`) }))}
              value={appearance.theme}
              onChoose={(theme) => change({ theme })}
            />
          </div>
        </Section>
        <Section title={t("information.convention")}>
          <RadioList
            label={t("information.convention")}
            options={CONVENTIONS.map((value) => ({
              value,
              label: t(`information.conventions.${value}`),
              hint: t(`information.conventionHints.${value}`),
            }))}
            value={appearance.convention}
            onChoose={(convention) => change({ convention })}
          />
          <p className={styles.preview}>
            <span className={styles.label}>{t("information.preview")}</span>
            <Direction trend="up" text="1.88%" />
            <Direction trend="down" text="0.70%" />
            <Direction trend="flat" text="0.00%" />
          </p>
        </Section>
        <TextSizeSetting />
        <RowDensity />
        <Signals />
        <Streaming />
        <Suspense fallback={<Skeleton rows={2} />}>
          <Security />
        </Suspense>
        <SignOut />
      </div>
    </Screen>
  );
}

/** Signs out once it is confirmed. */
function SignOut() {
  const { t } = useTranslation();
  const [confirming, setConfirming] = useState(false);
  return (
    <div className={styles.inset}>
      <Button tone="danger" size="large" block onClick={() => setConfirming(true)}>
        {t("information.signOut")}
      </Button>
      <Alert
        open={confirming}
        title={t("information.signOutTitle")}
        confirm={t("information.signOut")}
        onClose={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          leaveSession();
        }}
      >
        <p>{t("information.signOutWhy")}</p>
      </Alert>
    </div>
  );
}
