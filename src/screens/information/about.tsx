/** The about page: purpose, disclaimers, credits and licences. */
import { useTranslation } from "react-i18next";
import { currentSite } from "#src/gateway/site.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import styles from "./information.module.css";

export function About() {
  const { t } = useTranslation();
  const { title, logo } = currentSite();
  return (
    <Screen scroll="read" header={<BackHeader title={t("information.aboutTitle")} />}>
      <article className={styles.article}>
        {logo !== null && <img className={styles.logo} src={logo} alt="" width={56} height={56} />}
        <p>{t("information.aboutWhat", { title })}</p>
        <Section title={t("information.aboutSandbox")} inset>
          <p>{t("information.aboutSandboxText")}</p>
        </Section>
        <Section title={t("information.aboutRisk")} inset>
          <p>{t("information.aboutRiskText")}</p>
        </Section>
        <Section title={t("information.aboutLanguages")} inset>
          <p>{t("information.aboutLanguagesText")}</p>
        </Section>
        <Section title={t("information.aboutLab")} inset>
          <p>{t("information.aboutLabText")}</p>
          <ButtonLink to="/lab/load">{t("load.title")}</ButtonLink>
          <ButtonLink to="/lab/machines">{t("machines.title")}</ButtonLink>
        </Section>
        <Section title={t("information.aboutCredits")} inset>
          <p>{t("information.aboutCreditsText")}</p>
          <p>{t("information.aboutLicense")}</p>
          <a href="/THIRD-PARTY-NOTICES.txt" target="_blank" rel="noreferrer">
            {t("information.aboutNotices")}
          </a>
        </Section>
      </article>
    </Screen>
  );
}
