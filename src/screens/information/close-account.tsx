/** Closing the account: everything that is still open with its way out, and only then the form, which is confirmed once more. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { KEPT_YEARS } from "#contract/privacy.ts";
import type { Closing, Unfinished } from "#contract/privacy.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { leaveSession } from "#src/actors/session.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import { useClosing } from "#src/streams/closing.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Checkbox } from "#src/ui/choice.tsx";
import { FormTrouble } from "#src/ui/form-trouble.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import styles from "./funding.module.css";

/** Where each is finished. */
const WAY_OUT: Record<Unfinished, Path> = {
  positions: "/trade/index",
  orders: "/trade/index",
  settlements: "/information/settlements",
  blocks: "/home/blockTrade2",
  bids: "/home/newStockJp",
  deposits: "/information/recharge",
  withdrawals: "/information/cashOut",
  loans: "/home/loan",
  lendings: "/home/coupons",
  futures: "/home/futures",
  options: pathTo("/home/options", { part: "mine" }),
  copies: pathTo("/home/fllow", { part: "mine" }),
  strategies: pathTo("/home/qcList", { part: "mine" }),
  rebates: "/information/agent",
  identity: "/information/authInfo",
  applications: "/information/agent",
  restrictions: "/information/kef",
  money: "/information/payBag",
};

export function CloseAccount() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useClosing();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Section title={t("privacy.close")} inset>
      <p className={styles.note}>{t("privacy.closeWhy", { identity: KEPT_YEARS.identity, orders: KEPT_YEARS.orders })}</p>
      {value === null && skeleton && <Skeleton rows={2} />}
      {value === null && state === "failed" && <ErrorState what={t("privacy.closeFailed")} code={failure ?? ""} onRetry={retry} />}
      {value && value.open.length > 0 && <StillOpen closing={value} />}
      {value && value.open.length === 0 && <CloseForm closing={value} onOpen={retry} />}
    </Section>
  );
}

function StillOpen({ closing: { open, money } }: { closing: Closing }) {
  const { t } = useTranslation();
  return (
    <Card label={t("privacy.stillOpen")}>
      <h3 className={styles.blockedTitle}>{t("privacy.stillOpen")}</h3>
      <ul className={styles.blocks} role="list">
        {open.map(({ what, count }) => (
          <li key={what}>
            <p>
              {t(`privacy.open.${what}`, { n: count })}
              {what === "money" && <Money money={money} />}
              {what === "money" && (
                <span className={styles.note}>
                  <br />
                  {t("privacy.moneyHint")}
                </span>
              )}
            </p>
            <ButtonLink to={WAY_OUT[what]}>{t(`privacy.way.${what}`)}</ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Money({ money }: Pick<Closing, "money">) {
  return money.map(({ currency, amountCents }) => (
    <span key={currency} className={styles.note}>
      <br />
      {currency} {formatMoney(amountCents)}
    </span>
  ));
}

/** What is less than the smallest withdrawal goes with the account, once the member has said so. */
function Remainder({ closing, on, onCheck }: { closing: Closing; on: boolean; onCheck: (on: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <div className={styles.form}>
      <p>
        {t("privacy.remainder")}
        <Money money={closing.money} />
      </p>
      <Checkbox label={t("privacy.givesUp")} on={on} onCheck={onCheck} />
    </div>
  );
}

/** `onOpen` reads again what is open, after the broker refused because something is. */
function CloseForm({ closing, onOpen }: { closing: Closing; onOpen: () => void }) {
  const { t } = useTranslation();
  const [confirming, setConfirming] = useState(false);
  const [givesUp, setGivesUp] = useState(false);
  const waits = closing.remainderCents !== null && !givesUp;
  const request = useRequest("closeAccount", {
    fields: ["current"],
    onAccepted: () => {
      showToast(t("privacy.closed"), "success");
      leaveSession();
    },
  });
  const { values, field, form } = useFields({ current: "" }, request);
  const failed = request.state === "failed" || request.state === "unknown" ? t("privacy.notClosed") : null;
  const isStale = request.refusal?.code === "ACC_CLOSE_OPEN";
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // An empty password is refused at its field, without a question.
        if (values.current === "") request.submit({ ...values, givesUp });
        else if (!waits) setConfirming(true);
      }}
    >
      <TextField {...field("current")} label={t("privacy.password")} type="password" autoComplete="current-password" />
      {closing.remainderCents !== null && <Remainder closing={closing} on={givesUp} onCheck={setGivesUp} />}
      <FormTrouble text={request.errorOfForm ?? failed} />
      {isStale && <Button onClick={onOpen}>{t("privacy.stillOpen")}</Button>}
      <Button type="submit" tone="danger" size="large" block busy={request.busy} aria-disabled={waits}>
        {t("privacy.closeSubmit")}
      </Button>
      <Alert
        open={confirming}
        title={t("privacy.closeTitle")}
        confirm={t("privacy.closeSubmit")}
        slides
        onClose={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          request.submit({ ...values, givesUp });
        }}
      >
        <p>{t("privacy.closeSure")}</p>
      </Alert>
    </form>
  );
}
