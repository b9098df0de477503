/** Currency conversion: what to exchange, the live rate, a quote locked for some seconds, and its outcome. */
import { ArrowDownUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { convert, rateOf } from "#contract/conversion.ts";
import type { ConversionRule, ConversionSide } from "#contract/conversion.ts";
import { missingFor } from "#contract/eligibility.ts";
import { CURRENCIES, HOME_CURRENCY, midRate, pairOf } from "#contract/kernel/currency.ts";
import type { Currency, MidRate } from "#contract/kernel/currency.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import { useConversion } from "#src/actors/conversion.ts";
import type { ConversionRequest } from "#src/actors/conversion.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { useConnection } from "#src/streams/connection.ts";
import { useMember } from "#src/streams/member.ts";
import { useQuote } from "#src/streams/quotes.ts";
import { useRules } from "#src/streams/rules.ts";
import { pocketOf, useWallets } from "#src/streams/wallets.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Card } from "#src/ui/row.tsx";
import { useQuery } from "#src/ui/link.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { Blocked } from "./blocked.tsx";
import { ConversionResult, LiveQuoteCard } from "./conversion-quote.tsx";
import { ConversionTerms } from "./conversion-terms.tsx";
import { CurrencyField } from "./currency-field.tsx";
import { amountText, typedHundredths } from "./typed-amount.ts";
import styles from "./money.module.css";

/** `/information/exChange` */
export function ConversionPage() {
  const { t } = useTranslation();
  const wallets = useWallets();
  const { value: member } = useMember();
  const rule = useRules().value?.conversion ?? null;
  const skeleton = useSkeleton(wallets.value === null && wallets.state === "loading");
  const missing = member ? missingFor("convert", member.facts) : [];
  return (
    <Screen header={<BackHeader title={t("conversion.title")} fallback="/information/payBag" />} top={<StaleNotice />}>
      <div className={styles.page}>
        {missing.length > 0 && (
          <div className={styles.inset}>
            <Blocked missing={missing} title={t("conversion.blocked")} />
          </div>
        )}
        {wallets.value === null && skeleton && <Skeleton rows={5} />}
        {wallets.value === null && wallets.state === "failed" && (
          <ErrorState what={t("wallet.failed")} code={wallets.failure ?? ""} onRetry={wallets.retry} />
        )}
        {wallets.value && missing.length === 0 && (
          <div className={styles.inset}>
            <Converter availableOf={(one) => pocketOf(wallets.value?.balances, one, "available")} rule={rule} />
          </div>
        )}
        {rule && <ConversionTerms title={t("conversion.termsTitle")} rule={rule} />}
      </div>
    </Screen>
  );
}

/** A currency of the address, if it is one. */
const currencyIn = (word: string | null): Currency | null => CURRENCIES.find((one) => one === word) ?? null;

function Converter({ availableOf, rule }: { availableOf: (currency: Currency) => number; rule: ConversionRule | null }) {
  const [query] = useQuery<"/information/exChange">();
  const request = useConversion();
  const [from, setFrom] = useState<Currency>(() => currencyIn(query.get("from")) ?? HOME_CURRENCY);
  const [to, setTo] = useState<Currency>(
    () => currencyIn(query.get("to")) ?? (currencyIn(query.get("from")) === "USD" ? HOME_CURRENCY : "USD"),
  );
  const [side, setSide] = useState<ConversionSide>("sell");
  const [text, setText] = useState("");
  const edited = (): void => {
    if (request.state === "quoted" || request.state === "expired") request.edit();
  };
  const swap = (): void => {
    setFrom(to);
    setTo(from);
    edited();
  };
  if (request.state === "done" && request.conversion)
    return (
      <ConversionResult
        conversion={request.conversion}
        onAgain={() => {
          setText("");
          request.edit();
        }}
      />
    );
  if (request.state !== "editing" && request.state !== "asked") return <LiveQuoteCard request={request} />;
  return (
    <ConversionForm
      {...{ from, to, side, text, request, rule, availableOf, swap }}
      onFrom={(one) => (one === to ? swap() : setFrom(one))}
      onTo={(one) => (one === from ? swap() : setTo(one))}
      onSide={setSide}
      onText={setText}
    />
  );
}

interface FormProps {
  from: Currency;
  to: Currency;
  side: ConversionSide;
  text: string;
  request: ConversionRequest;
  rule: ConversionRule | null;
  availableOf: (currency: Currency) => number;
  swap: () => void;
  onFrom: (currency: Currency) => void;
  onTo: (currency: Currency) => void;
  onSide: (side: ConversionSide) => void;
  onText: (text: string) => void;
}

function ConversionForm(props: FormProps) {
  const { t } = useTranslation();
  const { from, to, side, text, request, availableOf } = props;
  const form = useRef<HTMLFormElement>(null);
  const { refusal } = request;
  useEffect(() => {
    if (refusal) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusal]);
  const errorAt = (field: string): string | null => (refusal?.field === field ? refusalTextNow(refusal) : null);
  const elsewhere = refusal && !["from", "to", "amount"].includes(refusal.field ?? "") ? refusalTextNow(refusal) : null;
  const trouble = elsewhere ?? (request.failed ? t("conversion.quoteFailed") : null);
  const available = availableOf(from);
  return (
    <Card label={t("conversion.title")}>
      <form
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          request.ask({ from, to, side, amount: typedHundredths(text) ?? 0 });
        }}
      >
        <CurrencyPair {...props} errorAt={errorAt} />
        <Segmented<ConversionSide>
          label={t("conversion.side")}
          options={[
            { value: "sell", label: t("conversion.sell", { currency: from }) },
            { value: "buy", label: t("conversion.buy", { currency: to }) },
          ]}
          value={side}
          onChoose={props.onSide}
        />
        <TextField
          label={t("conversion.amount", { currency: side === "sell" ? from : to })}
          value={text}
          inputMode="decimal"
          autoComplete="off"
          error={errorAt("amount")}
          onText={props.onText}
          end={
            side === "sell" && available > 0 ? (
              <Button tone="quiet" onClick={() => props.onText(amountText(available))}>
                {t("conversion.all")}
              </Button>
            ) : null
          }
        />
        <LiveRate {...props} />
        {trouble !== null && (
          <p className={styles.trouble} role="alert">
            {trouble}
          </p>
        )}
        <Button type="submit" tone="primary" size="large" block busy={request.state === "asked"}>
          {t("conversion.ask")}
        </Button>
      </form>
    </Card>
  );
}

/** What is sold and what is bought, and a button that swaps them. */
function CurrencyPair(props: FormProps & { errorAt: (field: string) => string | null }) {
  const { t } = useTranslation();
  const { from, to, errorAt, availableOf } = props;
  return (
    <div className={styles.pair}>
      <CurrencyField
        label={t("conversion.from")}
        value={from}
        onChoose={props.onFrom}
        error={errorAt("from")}
        hint={t("conversion.available", { amount: `${formatMoney(availableOf(from))} ${from}` })}
      />
      <IconButton label={t("conversion.swap")} icon={<ArrowDownUp size={20} aria-hidden />} onClick={props.swap} />
      <CurrencyField label={t("conversion.to")} value={to} onChoose={props.onTo} error={errorAt("to")} />
    </div>
  );
}

/** A currency's mid rate as prices come in; null without a price. */
function useMid(currency: Currency): MidRate | null {
  const view = useQuote(pairOf(currency) ?? "");
  return midRate(currency, view?.quote ?? null);
}

/** The rate now and what the typed amount would come to; the quote decides. */
function LiveRate({ from, to, side, text, rule }: Pick<FormProps, "from" | "to" | "side" | "text" | "rule">) {
  const { t } = useTranslation();
  const { stale } = useConnection();
  const fromMid = useMid(from);
  const toMid = useMid(to);
  if (!fromMid || !toMid || !rule) return <p className={styles.rate}>{t("conversion.noRate")}</p>;
  const terms = { fromMid, toMid, spreadPerMillion: rule.spreadPerMillion };
  const { base, counter, mid } = rateOf(from, to, terms);
  const amount = typedHundredths(text) ?? 0;
  const made = amount > 0 ? convert({ side, amount, ...terms }) : null;
  const other = made && (side === "sell" ? `${formatMoney(made.toCents)} ${to}` : `${formatMoney(made.fromCents)} ${from}`);
  return (
    <div className={styles.rate} data-stale={stale || undefined}>
      <p>{t("conversion.midNow", { base, counter, rate: mid })}</p>
      {other && <p>{t(side === "sell" ? "conversion.youGetAbout" : "conversion.youPayAbout", { amount: other })}</p>}
    </div>
  );
}
