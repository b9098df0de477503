/** One agreement: its text, the signature below it, or the signed document. */
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AgreementSummary, AgreementText } from "#contract/agreement.ts";
import type { Agreement } from "#contract/eligibility.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { call } from "#src/gateway/api.ts";
import { currentLanguage } from "#src/gateway/language.ts";
import { saveFile } from "#src/gateway/shell.ts";
import { showToast } from "#src/gateway/toasts.ts";
import type { Path } from "#src/paths.ts";
import { useAgreements, useAgreementText } from "#src/streams/agreements.ts";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { AgreementSigning } from "./agreement-signing.tsx";
import styles from "./agreement.module.css";

const BINDING = "zh-TW";

/** The screen that asks for a signature, to go on there. */
const ASKED_BY: Partial<Record<Agreement, { to: Path; title: "app.title.dayTrading" | "app.title.margin" | "app.title.loan" }>> = {
  dayTrading: { to: "/home/dayTrading", title: "app.title.dayTrading" },
  margin: { to: "/home/margin", title: "app.title.margin" },
  loan: { to: "/home/loan", title: "app.title.loan" },
};

export function AgreementPage({ kind }: { kind: Agreement }) {
  const { t } = useTranslation();
  const own = currentLanguage();
  const [language, setLanguage] = useState(own);
  const { value: list, retry: again } = useAgreements();
  const { value, state, failure, retry } = useAgreementText(kind, language);
  const skeleton = useSkeleton((value === null || list === null) && state === "loading");
  const summary = list?.find((one) => one.kind === kind) ?? null;
  return (
    <Screen header={<BackHeader title={summary?.title ?? t("agreement.title")} fallback="/information/shou" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={8} shape="text" />}
        {value === null && state === "failed" && (
          <ErrorState
            what={t("agreement.failed")}
            code={failure ?? ""}
            onRetry={() => {
              again();
              retry();
            }}
          />
        )}
        {value && (
          <article className={styles.text} lang={language} aria-label={value.title}>
            <h2>{value.title}</h2>
            <ol>
              {value.points.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ol>
          </article>
        )}
        {value && own !== BINDING && (
          <div className={styles.part}>
            <p className={styles.plain}>{t("agreement.binding")}</p>
            <Button onClick={() => setLanguage(language === BINDING ? own : BINDING)}>
              {language === BINDING ? t("agreement.showOwn") : t("agreement.showBinding")}
            </Button>
          </div>
        )}
        {value && summary && <SignPart text={value} summary={summary} />}
      </div>
    </Screen>
  );
}

function SignPart({ text, summary }: { text: AgreementText; summary: AgreementSummary }) {
  const { t } = useTranslation();
  const { kind, signedAt, id } = summary;
  const asked = ASKED_BY[kind];
  if (signedAt === null) return <AgreementSigning text={text} />;
  return (
    <div className={styles.part}>
      <p className={styles.done} role="status">
        {t("agreement.signed", { time: formatDateTime(signedAt) })}
      </p>
      {asked && <ButtonLink to={asked.to}>{t(asked.title)}</ButtonLink>}
      {id === null ? <p className={styles.plain}>{t("agreement.older")}</p> : <DocumentButton id={id} />}
      <p className={styles.plain}>{t("agreement.fingerprint")}</p>
      <p className={styles.hash}>{text.hash}</p>
    </div>
  );
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

function DocumentButton({ id }: { id: number }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const download = async (): Promise<void> => {
    setBusy(true);
    const outcome = await call("readAgreementDocument", { id });
    setBusy(false);
    if (outcome.ok) saveFile(outcome.data.name, "application/pdf", bytesOf(outcome.data.base64));
    else if (outcome.failed) showToast(t("agreement.documentFailed"), "danger");
  };
  return (
    <Button icon={<Download size={18} aria-hidden />} busy={busy} onClick={() => void download()}>
      {t("agreement.document")}
    </Button>
  );
}
