/** Customer service: what it helps with, and the site's link to it, which opens outside the app. */
import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { currentSite } from "#src/gateway/site.ts";
import { Card } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import styles from "./information.module.css";

/** `/information/kef` */
export function Support() {
  const { t } = useTranslation();
  const { customerService } = currentSite();
  return (
    <Screen header={<BackHeader title={t("support.title")} fallback="/information/index" />}>
      <div className={styles.page}>
        {customerService === null ? (
          <EmptyState title={t("support.none")} />
        ) : (
          <div className={styles.inset}>
            <Card label={t("support.title")}>
              <p>{t("support.who")}</p>
              <a className={styles.more} href={customerService} target="_blank" rel="noreferrer">
                <ExternalLink size={18} aria-hidden />
                {customerService.startsWith("mailto:") ? t("support.mail") : t("support.open")}
              </a>
              <p className={styles.plain}>{t("support.what")}</p>
            </Card>
          </div>
        )}
      </div>
    </Screen>
  );
}
