/** The form that moves money of one currency between the member's wallets. */
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import { WALLETS } from "#contract/wallet.ts";
import type { CurrencyBalance, Pocket, Wallet } from "#contract/wallet.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pocketOf } from "#src/streams/wallets.ts";
import { Button } from "#src/ui/button.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { CurrencyField } from "./currency-field.tsx";
import { typedHundredths } from "./typed-amount.ts";
import styles from "./money.module.css";

const POCKET_OF: Record<Wallet, Pocket> = { securities: "available", futures: "futures", profit: "profit" };
const FIELDS = ["currency", "amount", "to"] as const;

/** Another wallet than this one. */
const other = (wallet: Wallet): Wallet => WALLETS.find((one) => one !== wallet) ?? wallet;

export function TransferForm({ balances }: { balances: readonly CurrencyBalance[] }) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [currency, setCurrency] = useState<Currency>(HOME_CURRENCY);
  const [from, setFrom] = useState<Wallet>("securities");
  const [to, setTo] = useState<Wallet>("futures");
  const [text, setText] = useState("");
  const request = useRequest("transferFunds", {
    fields: FIELDS,
    onAccepted: () => {
      setText("");
      showToast(t("operation.OP_TRANSFER_OK"), "success");
    },
  });
  const invalid = request.errorAt("amount") !== null || request.errorAt("to") !== null;
  useEffect(() => {
    if (invalid) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [invalid]);
  const choose = (source: Wallet, target: Wallet): void => {
    setFrom(source);
    setTo(target);
    request.edit();
  };
  const trouble = request.errorOfForm ?? (request.state === "failed" ? t("operation.OP_TRANSFER_FAIL") : null);
  return (
    <Section title={t("wallet.transfer")} inset>
      <Card label={t("wallet.transfer")}>
        <form
          ref={form}
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            request.submit({ currency, from, to, amount: typedHundredths(text) ?? 0 });
          }}
        >
          <CurrencyField
            label={t("wallet.transferCurrency")}
            value={currency}
            onChoose={(one) => {
              setCurrency(one);
              request.edit();
            }}
            error={request.errorAt("currency")}
          />
          <WalletChoice label={t("wallet.transferFrom")} value={from} onChoose={(one) => choose(one, one === to ? other(one) : to)} />
          <WalletChoice label={t("wallet.transferTo")} value={to} onChoose={(one) => choose(one === from ? other(one) : from, one)} />
          <TextField
            label={t("conversion.amount", { currency })}
            hint={t("wallet.transferable", { amount: `${formatMoney(pocketOf(balances, currency, POCKET_OF[from]))} ${currency}` })}
            value={text}
            inputMode="decimal"
            autoComplete="off"
            error={request.errorAt("amount")}
            onText={(typed) => {
              setText(typed);
              request.edit("amount");
            }}
          />
          <Trouble text={trouble} checking={request.state === "unknown" || request.state === "asking"} />
          <Button type="submit" tone="primary" size="large" block busy={request.busy}>
            {t("wallet.transferDo")}
          </Button>
        </form>
      </Card>
    </Section>
  );
}

/** A labelled native select: the names are too long for segments on a phone. */
function WalletChoice({ label, value, onChoose }: { label: string; value: Wallet; onChoose: (wallet: Wallet) => void }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          const chosen = WALLETS.find((wallet) => wallet === event.currentTarget.value);
          if (chosen) onChoose(chosen);
        }}
      >
        {WALLETS.map((wallet) => (
          <option key={wallet} value={wallet}>
            {t(`wallet.name.${wallet}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** What is wrong with the whole form, and that an outcome is still unknown. */
function Trouble({ text, checking }: { text: string | null; checking: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      {text !== null && (
        <p className={styles.trouble} role="alert">
          {text}
        </p>
      )}
      {checking && (
        <p className={styles.hint} role="status">
          {t("conversion.checking")}
        </p>
      )}
    </>
  );
}
