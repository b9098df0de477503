/** The application for an offering: lots, what it costs now and after a win, the terms accepted, and the fund password. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatRate, formatTwd, grouped } from "#contract/kernel/money.ts";
import type { Entitlement, Offering } from "#contract/offering.ts";
import type { OfferingKind, OfferingRule } from "#contract/offering-kind.ts";
import { useFields } from "#src/actors/fields.ts";
import type { Field } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { useLotSize, useLots } from "#src/screens/quote/offering-words.ts";
import { costOf } from "./offering-cost.ts";
import { takeSubscription } from "#src/streams/offerings.ts";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Checkbox } from "#src/ui/choice.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { FieldList, Section } from "#src/ui/row.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./new-share.module.css";

const FIELDS = ["lots", "fundPassword"] as const;
/** What is accepted where it is not a draw. */
const AGREE: Partial<Record<OfferingKind, "offering.placement.agree" | "offering.increase.agree">> = {
  placement: "offering.placement.agree",
  increase: "offering.increase.agree",
};

interface ApplyProps {
  offering: Offering;
  /** In a capital increase: what may be bought. */
  entitlement: Entitlement | null;
  rule: OfferingRule;
  availableCents: number;
}

export function ApplyForm({ offering, entitlement, rule, availableCents }: ApplyProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [agreed, setAgreed] = useState(false);
  const [asked, setAsked] = useState(false);
  const isIncrease = offering.kind === "increase";
  const { leastLots } = offering;
  const mostLots = isIncrease ? (entitlement?.shares ?? 0) : offering.mostLots;
  const request = useRequest("applySubscription", {
    fields: FIELDS,
    check: ({ lots }) => {
      if (lots < leastLots) return [{ code: "TRD_MIN_SUBSCRIPTION", params: { n: String(leastLots) }, field: "lots" }];
      return lots > mostLots ? [{ code: "TRD_LOTS_MAX", params: { n: String(mostLots) }, field: "lots" }] : [];
    },
    onAccepted: (subscription) => {
      fill("fundPassword", "");
      takeSubscription(subscription);
      showToast(t("operation.OP_SUBSCRIBE_OK"), "success");
      void navigate("/home/newShareOrder", { replace: true });
    },
  });
  const { values, field, fill, form } = useFields({ lots: String(isIncrease ? mostLots : leastLots), fundPassword: "" }, request);
  const digits = values.lots.replaceAll(",", "");
  const lots = /^\d{1,9}$/.test(digits) ? Number(digits) : null;
  const { name: _lots, ...lotsField } = field("lots");
  const { name: _password, ...password } = field("fundPassword");
  return (
    <Section title={t(isIncrease ? "offering.increase.title" : "offering.reviewTitle")} inset>
      <form
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
          if (agreed) request.submit({ offeringNo: offering.offeringNo, lots, fundPassword: values.fundPassword });
        }}
      >
        <LotsField field={lotsField} offering={offering} least={leastLots} most={mostLots} />
        <Cost offering={offering} entitlement={entitlement} rule={rule} lots={lots ?? 0} availableCents={availableCents} />
        <ButtonLink to={pathTo("/information/shou", { kind: "subscription" })}>{t("offering.agreement")}</ButtonLink>
        <Checkbox label={t(AGREE[offering.kind] ?? "offering.agree")} on={agreed} onCheck={setAgreed} />
        {asked && !agreed && (
          <p className={styles.trouble} role="alert">
            {t("offering.agreeFirst")}
          </p>
        )}
        <TextField {...password} label={t("app.title.fundPassword")} type="password" inputMode="numeric" autoComplete="off" maxLength={6} />
        <RequestError request={request} />
        <Button type="submit" tone="primary" size="large" block busy={request.busy}>
          {t(isIncrease ? "offering.increase.apply" : "offering.apply", {
            amount: formatTwd(costOf(offering, rule, lots ?? 0).nowCents),
          })}
        </Button>
      </form>
    </Section>
  );
}

interface LotsFieldProps {
  field: Omit<Field, "name">;
  offering: Offering;
  least: number;
  most: number;
}

/** How much is asked for; in a lottery it is one lot, in a capital increase single shares. */
function LotsField({ field, offering, least, most }: LotsFieldProps) {
  const { t } = useTranslation();
  const sizeOf = useLotSize();
  const countOf = useLots();
  const isIncrease = offering.kind === "increase";
  if (least === most && !isIncrease) return <p className={styles.fixed}>{t("offering.oneLot", { size: sizeOf(offering) })}</p>;
  const hint = isIncrease
    ? t("offering.increase.most", { n: grouped(String(most)) })
    : `${t("offering.field.perClient")} ${grouped(String(least))} – ${countOf(offering, most)}`;
  const label = t(isIncrease ? "offering.increase.shares" : "offering.lots");
  return <TextField {...field} label={label} hint={hint} inputMode="numeric" autoComplete="off" />;
}

/** What is paid and held now, and what a win would still cost. */
function Cost({ offering, rule, lots, availableCents }: ApplyProps & { lots: number }) {
  const { t } = useTranslation();
  const { valueCents, depositCents, nowCents } = costOf(offering, rule, lots);
  return (
    <>
      <FieldList
        fields={[
          { label: t("offering.cost.amount"), value: formatTwd(valueCents) },
          ...(offering.kind === "increase"
            ? []
            : [
                { label: t("offering.cost.handling"), value: formatTwd(rule.feeCents) },
                { label: t("offering.cost.delivery"), value: formatTwd(rule.deliveryCents) },
                { label: t("offering.cost.deposit", { percent: formatRate(rule.depositPerMillion) }), value: formatTwd(depositCents) },
                { label: t("offering.cost.now"), value: <strong>{formatTwd(nowCents)}</strong> },
                { label: t("offering.cost.later"), value: <strong>{formatTwd(valueCents - depositCents)}</strong> },
              ]),
          { label: t("offering.cost.available"), value: formatTwd(availableCents) },
        ]}
      />
      {nowCents > availableCents && (
        <p className={styles.trouble} role="status">
          {t("refusal.FUND_AVAILABLE_INSUFFICIENT")}
        </p>
      )}
    </>
  );
}
