/** The page of one message; opening it marks it as read. */
import { useTranslation } from "react-i18next";
import { pathTo } from "#src/paths.ts";
import { useQuery } from "#src/ui/link.tsx";
import { formatDateTime } from "#contract/kernel/time.ts";
import { noticeRoute } from "#contract/notice.ts";
import type { Message } from "#contract/message.ts";
import { QuoteRow } from "#src/screens/quote/quote-row.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { useInstruments } from "#src/streams/instruments.ts";
import { useMessage } from "#src/streams/messages.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { useMessageWords } from "./message-words.ts";
import styles from "./message.module.css";

const NOTICE_LINK = {
  "/home/checkIn": "app.title.checkIn",
  "/home/coupons": "app.title.lending",
  "/home/futures": "app.title.futures",
  "/home/options": "app.title.options",
  "/home/fllow": "app.title.copy",
  "/home/qcList": "app.title.strategy",
  "/home/etf": "app.title.funds",
  "/home/newShareOrder": "app.title.offering",
  "/home/newStock": "app.title.offering",
  "/information/agent": "app.title.agent",
  "/information/alerts": "app.title.alerts",
  "/information/fundRecord": "app.title.fundRecords",
  "/information/seat": "app.title.seat",
  "/information/setting": "app.title.settings",
  "/information/settlements": "app.title.settlements",
  "/trade/index": "app.title.trade",
} as const;

/** `/information/msgInfo?id=M12` */
export function MessagePage() {
  const { t } = useTranslation();
  const [query] = useQuery<"/information/msgInfo">();
  const { value, state, failure, retry } = useMessage(query.get("id") ?? "");
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("message.one")} fallback="/information/userInfo" />} top={<StaleNotice />}>
      {value && <MessageText message={value} />}
      {!value && skeleton && (
        <div className={styles.message}>
          <div className={styles.words}>
            <Skeleton shape="text" rows={3} />
          </div>
        </div>
      )}
      {!value && failure === "GEN_NOT_FOUND" && (
        <EmptyState title={t("refusal.GEN_NOT_FOUND")} action={{ label: t("message.title"), to: "/information/userInfo" }} />
      )}
      {!value && state === "failed" && failure !== "GEN_NOT_FOUND" && (
        <ErrorState what={t("message.failed")} code={failure ?? ""} onRetry={retry} />
      )}
    </Screen>
  );
}

function MessageText({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { title, text } = useMessageWords(message);
  const table = useInstruments();
  const code = message.alert?.code ?? message.report?.code;
  const instrument = code === undefined ? undefined : table?.byCode.get(code);
  const route = message.notice && noticeRoute(message.notice);
  return (
    <article className={styles.message}>
      <div className={styles.words}>
        <time className={styles.when} dateTime={new Date(message.at).toISOString()}>
          {formatDateTime(message.at)}
        </time>
        <h2 className={styles.headline}>{title}</h2>
        <p>{text}</p>
      </div>
      {instrument && <QuoteRow instrument={instrument} />}
      <div className={styles.inset}>
        {message.kind === "alert" && <ButtonLink to="/information/alerts">{t("message.toAlerts")}</ButtonLink>}
        {message.kind === "marginCall" && <ButtonLink to="/home/margin">{t("message.toMargin")}</ButtonLink>}
        {message.report && (
          <ButtonLink to={pathTo("/trade/positionDetail", { orderNo: message.report.orderNo })}>{t("report.toOrder")}</ButtonLink>
        )}
        {message.restriction?.imposed && <ButtonLink to="/information/kef">{t("app.title.support")}</ButtonLink>}
        {message.kind === "identity" && <ButtonLink to="/information/authInfo">{t("app.title.identity")}</ButtonLink>}
        {message.deposit && (
          <ButtonLink to={pathTo("/information/rechargeChannel", { no: message.deposit.depositNo })}>{t("message.toDeposit")}</ButtonLink>
        )}
        {message.withdrawal && (
          <ButtonLink to={pathTo("/information/withdrawalDetail", { no: message.withdrawal.withdrawalNo })}>
            {t("message.toWithdrawal")}
          </ButtonLink>
        )}
        {message.block && <ButtonLink to="/home/blockTrade2">{t("message.toBlock")}</ButtonLink>}
        {route && route !== "/information/userInfo" && <ButtonLink to={route}>{t(NOTICE_LINK[route])}</ButtonLink>}
        {message.loan && <ButtonLink to={pathTo("/home/loanRe", { no: message.loan.loan.loanNo })}>{t("message.toLoan")}</ButtonLink>}
        {message.kind === "debt" && <ButtonLink to="/information/fundRecord">{t("information.fundRecords")}</ButtonLink>}
      </div>
    </article>
  );
}
