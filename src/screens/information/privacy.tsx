/** Privacy: what is kept, why and how long; the export of all own data; and closing the account. */
import { useTranslation } from "react-i18next";
import { KEPT_YEARS } from "#contract/privacy.ts";
import { pathTo } from "#src/paths.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Card, List, Row, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { CloseAccount } from "./close-account.tsx";
import { ExportData } from "./export-data.tsx";
import styles from "./funding.module.css";

/** What the law keeps, longest first, and for how many years. */
const KEPT = [
  ["orders", KEPT_YEARS.orders],
  ["payments", KEPT_YEARS.identity],
  ["identity", KEPT_YEARS.identity],
  ["agreements", KEPT_YEARS.identity],
] as const;
/** What is kept only as long as the account. */
const ERASED = ["photos", "rest"] as const;

/** One kind of data: what it is, why it is kept and how long. */
function Kind({ what, why, long }: { what: string; why: string; long: string }) {
  return (
    <li>
      <p>
        <strong>{what}</strong>
        <br />
        <span className={styles.note}>{why}</span>
        <br />
        <span className={styles.note}>{long}</span>
      </p>
    </li>
  );
}

/** `/information/userPrivacy` */
export function PrivacyPage() {
  const { t } = useTranslation();
  return (
    <Screen header={<BackHeader title={t("privacy.title")} fallback="/information/index" />}>
      <div className={styles.page}>
        <Section title={t("privacy.kept")} inset>
          <Card label={t("privacy.kept")}>
            <p>{t("privacy.intro")}</p>
            <ul className={styles.blocks} role="list">
              {KEPT.map(([what, years]) => (
                <Kind key={what} what={t(`privacy.what.${what}`)} why={t(`privacy.why.${what}`)} long={t("privacy.years", { years })} />
              ))}
              {ERASED.map((what) => (
                <Kind key={what} what={t(`privacy.what.${what}`)} why={t(`privacy.why.${what}`)} long={t(`privacy.long.${what}`)} />
              ))}
            </ul>
            <p className={styles.note}>{t("privacy.children")}</p>
          </Card>
        </Section>
        <List label={t("privacy.title")}>
          <Row title={t("privacy.agreement")} subtitle={t("privacy.agreementHint")} to={pathTo("/information/shou", { kind: "privacy" })} />
        </List>
        <ExportData />
        <CloseAccount />
        <div className={styles.inset}>
          <ButtonLink to="/information/kef">{t("privacy.ask")}</ButtonLink>
        </div>
      </div>
    </Screen>
  );
}
