/** Subscribing to a fund: what keeps the member from it, the lots with what they cost, and a review with the fund password. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import { feeOf } from "#contract/fee.ts";
import { cents, formatMoney, formatPrice, formatTwd, grouped, worth } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Raise, Stake } from "#contract/raise.ts";
import type { RaiseRule } from "#contract/raise-rule.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import type { Request } from "#src/actors/request.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { useLots } from "#src/screens/quote/sale-words.ts";
import { useMember } from "#src/streams/member.ts";
import { takeStake } from "#src/streams/raises.ts";
import { Button } from "#src/ui/button.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { BlockedNotice } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import { RequestError } from "./request-error.tsx";
import { typedLots } from "./typed-lots.ts";
import styles from "./fund.module.css";

interface SubscribingProps {
  raise: Raise;
  rule: RaiseRule;
  /** The member's stakes in it. */
  stakes: readonly Stake[];
}

/** The lots a member may still ask for: their stakes count together. */
export function lotsLeft({ mostLots }: Pick<Raise, "mostLots">, stakes: readonly Pick<Stake, "status" | "lots">[]): number {
  const asked = stakes.filter(({ status }) => status === "subscribed").reduce((sum, { lots }) => sum + lots, 0);
  return Math.max(0, mostLots - asked);
}

/** What keeps the member from subscribing comes before the form. */
export function Subscribing({ raise, rule, stakes }: SubscribingProps) {
  const { t } = useTranslation();
  const member = useMember().value;
  const missing = member ? missingFor("subscribe", member.facts) : [];
  const left = lotsLeft(raise, stakes);
  const full = left < raise.leastLots;
  return (
    <div className={styles.stages}>
      <MissingNotice title={t("fund.blocked")} missing={missing} agreement="subscription" supply={t("fund.supply")} />
      {full && missing.length === 0 && <BlockedNotice title={t("fund.blocked")} why={t("fund.quotaUsed")} />}
      {missing.length === 0 && !full && (
        // A new form after each subscription: the next one is a stake of its own.
        <SubscribeForm key={stakes.length} raise={raise} rule={rule} left={left} availableCents={member?.availableCents ?? null} />
      )}
    </div>
  );
}

interface FormProps extends Omit<SubscribingProps, "stakes"> {
  left: number;
  availableCents: number | null;
}

/** What is wrong with a number of lots, in words; null when it may be asked for. */
function problemWith(raise: Raise, rule: RaiseRule, left: number, lots: number | null): string | null {
  if (lots === null || lots < 1) return refusalTextNow({ code: "VAL_LOTS_INTEGER", params: {}, msg: "" });
  if (lots < raise.leastLots) {
    return refusalTextNow({ code: "TRD_PRODUCT_MIN", params: { n: formatMoney(rule.minimumCents) }, msg: "" });
  }
  return lots > left ? refusalTextNow({ code: "TRD_RAISE_QUOTA_INSUFFICIENT", params: {}, msg: "" }) : null;
}

/** What a subscription costs, line by line, and the amount put on hold. */
function useCosts(raise: Raise, rule: RaiseRule, lots: number, availableCents: number | null): { costs: Field[]; amount: string } {
  const { t } = useTranslation();
  const units = lots * raise.lotUnits;
  const value = worth(raise.price, units);
  const fee = feeOf(rule, value);
  const amount = formatTwd(cents(value + fee));
  const costs: Field[] = [
    { label: t("fund.field.units"), value: t("fund.units", { count: units, n: grouped(String(units)) }) },
    { label: t("fund.field.value"), value: formatTwd(value) },
    { label: t("fund.field.fee"), value: formatTwd(fee) },
    { label: t("fund.field.reserved"), value: <strong>{amount}</strong> },
    { label: t("fund.field.available"), value: availableCents === null ? "--" : formatTwd(availableCents) },
  ];
  return { costs, amount };
}

/** The request of a subscription, which is among the member's stakes as soon as it is accepted. */
function useSubscribing(): Request<"subscribeRaise"> {
  const { t } = useTranslation();
  return useRequest("subscribeRaise", {
    fields: ["lots", "fundPassword"],
    onAccepted: (stake) => {
      takeStake(stake);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
  });
}

function SubscribeForm({ raise, rule, left, availableCents }: FormProps) {
  const { t } = useTranslation();
  const lotsOf = useLots("fund.lots");
  const [text, setText] = useState(String(raise.leastLots));
  const [stage, setStage] = useState<"form" | "review">("form");
  const [problem, setProblem] = useState<string | null>(null);
  const lots = typedLots(text);
  const request = useSubscribing();
  const error = request.errorAt("lots") ?? problem;
  const { costs, amount } = useCosts(raise, rule, lots ?? 0, availableCents);
  const type = (next: string): void => {
    setText(next);
    setProblem(null);
    request.edit("lots");
  };
  if (stage === "review" && error === null && lots !== null) {
    return (
      <Review
        title={`${formatPrice(raise.price)} × ${lotsOf(lots)} × ${grouped(String(raise.lotUnits))}`}
        costs={costs}
        notes={[t("fund.note.withdraw", { time: formatDateTime(raise.closesAt) }), t("fund.past.promise"), t("fund.note.value")]}
        amount={amount}
        request={request}
        onChange={() => {
          request.edit();
          setStage("form");
        }}
        onSubscribe={(fundPassword) => request.submit({ code: raise.code, lots, fundPassword })}
      />
    );
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const wrong = problemWith(raise, rule, left, lots);
        setProblem(wrong);
        if (wrong !== null) return event.currentTarget.querySelector("input")?.focus();
        // The same number may be asked for again.
        request.edit();
        setStage("review");
      }}
    >
      <h2 className={styles.heading}>{t("fund.form")}</h2>
      <NumberStepper
        label={t("fund.field.lots")}
        value={text}
        inputMode="numeric"
        onType={type}
        onStep={(direction, steps) =>
          type(String(Math.min(left, Math.max(raise.leastLots, (lots ?? raise.leastLots) + direction * steps))))
        }
        error={error}
        hint={lotsOf(left, raise.leastLots)}
      />
      <Card label={t("fund.field.reserved")}>
        <FieldList fields={costs} />
      </Card>
      <p className={styles.strong}>{t("fund.past.promise")}</p>
      <Button type="submit" tone="primary" size="large" block>
        {t("fund.review")}
      </Button>
    </form>
  );
}

interface ReviewProps {
  title: string;
  costs: readonly Field[];
  notes: readonly string[];
  amount: string;
  request: Request<"subscribeRaise">;
  onChange: () => void;
  onSubscribe: (fundPassword: string) => void;
}

function Review({ title, costs, notes, amount, request, onChange, onSubscribe }: ReviewProps) {
  const { t } = useTranslation();
  const { values, field, form } = useFields({ fundPassword: "" }, request);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubscribe(values.fundPassword);
      }}
    >
      <h2 ref={heading} tabIndex={-1} className={styles.heading}>
        {t("fund.reviewTitle")}
      </h2>
      <p className={styles.total}>{title}</p>
      <Card label={t("fund.field.reserved")}>
        <FieldList fields={costs} />
      </Card>
      <div className={styles.notes}>
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
      <TextField
        {...field("fundPassword")}
        label={t("app.title.fundPassword")}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
      />
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("fund.subscribe", { amount })}
      </Button>
      <Button size="large" block disabled={request.busy} onClick={onChange}>
        {t("fund.change")}
      </Button>
    </form>
  );
}
