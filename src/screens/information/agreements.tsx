/** Agreements: the list with what is signed, and one agreement to read, sign or download. */
import { Check, FileText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AGREEMENTS } from "#contract/eligibility.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useAgreements } from "#src/streams/agreements.ts";
import { pathTo } from "#src/paths.ts";
import { useQuery } from "#src/ui/link.tsx";
import { List, Row } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { AgreementPage } from "./agreement-page.tsx";
import styles from "./information.module.css";

/** `/information/shou` */
export function Agreements() {
  const [query] = useQuery<"/information/shou">();
  const kind = query.get("kind");
  const chosen = AGREEMENTS.find((one) => one === kind);
  return chosen ? <AgreementPage key={chosen} kind={chosen} /> : <AgreementList />;
}

function AgreementList() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useAgreements();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("agreement.title")} fallback="/information/index" />}>
      <div className={styles.page}>
        <p className={styles.note}>{t("agreement.binding")}</p>
        {value === null && skeleton && <Skeleton rows={AGREEMENTS.length} />}
        {value === null && state === "failed" && <ErrorState what={t("agreement.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && (
          <List label={t("agreement.title")}>
            {value.map(({ kind, title, signedAt }) => (
              <Row
                key={kind}
                leading={signedAt === null ? <FileText size={22} aria-hidden /> : <Check size={22} aria-hidden />}
                title={title}
                subtitle={signedAt === null ? t("agreement.unsigned") : t("agreement.signed", { time: formatDateTime(signedAt) })}
                to={pathTo("/information/shou", { kind })}
              />
            ))}
          </List>
        )}
      </div>
    </Screen>
  );
}
