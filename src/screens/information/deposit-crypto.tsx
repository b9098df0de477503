/** The form of a deposit in USDT: everything about the transaction first, then a quote that is locked for some seconds. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isTxHash } from "#contract/crypto-deposit.ts";
import type { CryptoQuote } from "#contract/crypto-deposit.ts";
import type { DepositChannel } from "#contract/deposit.ts";
import { formatMoney, formatRate, grouped } from "#contract/kernel/money.ts";
import type { Network } from "#contract/wallet-address.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import type { Request } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { takeDeposit } from "#src/streams/deposits.ts";
import { useWalletAddresses } from "#src/streams/wallet-addresses.ts";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { RadioList } from "#src/ui/choice.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { wholeUnits } from "./deposit-form.tsx";
import { DepositProof } from "./deposit-proof.tsx";
import { FundingError } from "./funding-error.tsx";
import { useSecondsLeft } from "./seconds-left.ts";
import styles from "./funding.module.css";

const PAID = "USDT";
const FIELDS = ["amount", "channelId", "addressId", "txHash", "proofId"] as const;

export function CryptoForm({ channel, network }: { channel: DepositChannel; network: Network }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useWalletAddresses();
  const skeleton = useSkeleton(value === null && state === "loading");
  if (value === null) {
    if (state === "failed") return <ErrorState what={t("address.failed")} code={failure ?? ""} onRetry={retry} />;
    return skeleton ? <Skeleton rows={4} /> : null;
  }
  const wallets = value.addresses
    .filter((one) => one.network === network)
    .map(({ addressId, address }) => ({ value: addressId, label: address }));
  if (wallets.length === 0) {
    return (
      <div className={styles.form}>
        <p>{t("deposit.noWallet")}</p>
        <ButtonLink to="/information/usdtAddress" tone="primary" size="large" block>
          {t("address.add")}
        </ButtonLink>
      </div>
    );
  }
  return <Paid channel={channel} network={network} wallets={wallets} />;
}

/** What the member says about the transaction. */
interface Transaction {
  addressId: string;
  txHash: string;
  proofId: string | null;
}

/** The requests of the form: a quote once the transaction is described, then the deposit at this quote. */
function useCryptoDeposit(network: Network, typed: Transaction) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const quote = useRequest("quoteDeposit", {
    fields: FIELDS,
    check: () => [
      ...(typed.addressId === "" ? [{ code: "WAL_NOT_FOUND" as const, params: {}, field: "addressId" }] : []),
      ...(isTxHash(network, typed.txHash.trim().toLowerCase()) ? [] : [{ code: "VAL_TX_HASH" as const, params: {}, field: "txHash" }]),
      ...(typed.proofId === null ? [{ code: "VAL_PROOF_REQUIRED" as const, params: {}, field: "proofId" }] : []),
    ],
  });
  const deposit = useRequest("submitCryptoDeposit", {
    fields: FIELDS,
    onAccepted: (accepted) => {
      takeDeposit(accepted);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
      void navigate(pathTo("/information/rechargeChannel", { no: accepted.depositNo }), { replace: true });
    },
  });
  return {
    quote,
    deposit,
    problems: [...quote.problems, ...deposit.problems],
    refusal: quote.refusal ?? deposit.refusal,
    errorAt: (field: string) => quote.errorAt(field) ?? deposit.errorAt(field),
    /** A quote stands for its amount: with another one it is gone. */
    edit: (field?: string): void => {
      if (field === "amount" && quote.state === "accepted") quote.reset();
      quote.edit(field);
      deposit.edit(field);
    },
  };
}

interface PaidProps {
  channel: DepositChannel;
  network: Network;
  wallets: { value: string; label: string }[];
}

function Paid({ channel, network, wallets }: PaidProps) {
  const { t } = useTranslation();
  const only = wallets.length === 1 ? wallets[0]?.value : undefined;
  const [typed, setTyped] = useState<Transaction>({ addressId: only ?? "", txHash: "", proofId: null });
  const request = useCryptoDeposit(network, typed);
  const { values, field, form } = useFields({ amount: "" }, request);
  const { quote, deposit } = request;
  const ask = (): void => {
    if (quote.state === "accepted") quote.reset();
    deposit.edit();
    quote.submit({ channelId: channel.id, amount: wholeUnits(values.amount) });
  };
  const bounds = { currency: channel.paid, min: grouped(String(channel.minimum)), max: grouped(String(channel.maximum)) };
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <TextField
        {...field("amount")}
        label={t("deposit.amount", { currency: channel.paid })}
        inputMode="numeric"
        autoComplete="off"
        error={request.errorAt("amount") ?? request.errorAt("channelId")}
        hint={t("deposit.bounds", bounds)}
      />
      <TransactionFields
        network={network}
        wallets={wallets}
        typed={typed}
        errorAt={request.errorAt}
        onChange={(name, value) => {
          setTyped((before) => ({ ...before, [name]: value }));
          if (value !== null) request.edit(name);
        }}
      />
      <FundingError request={quote} />
      <FundingError request={deposit} />
      {quote.state === "accepted" && quote.answer ? (
        <Quoted
          key={quote.answer.quoteId}
          quote={quote.answer}
          request={deposit}
          onAgain={ask}
          onConfirm={() => deposit.submit({ quoteId: quote.answer?.quoteId, ...typed })}
        />
      ) : (
        <Button type="submit" tone="primary" size="large" block busy={quote.busy}>
          {t("conversion.ask")}
        </Button>
      )}
    </form>
  );
}

interface TransactionFieldsProps extends Omit<PaidProps, "channel"> {
  typed: Transaction;
  errorAt: (field: string) => string | null;
  onChange: (name: keyof Transaction, value: string | null) => void;
}

function TransactionFields({ network, wallets, typed, errorAt, onChange }: TransactionFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Wallets wallets={wallets} addressId={typed.addressId} error={errorAt("addressId")} onChoose={(id) => onChange("addressId", id)} />
      <TextField
        label={t("deposit.txHash")}
        value={typed.txHash}
        autoComplete="off"
        spellCheck={false}
        maxLength={80}
        error={errorAt("txHash")}
        hint={t(`deposit.txHint.${network}`)}
        onText={(text) => onChange("txHash", text)}
      />
      <DepositProof error={errorAt("proofId")} onChange={(id) => onChange("proofId", id)} />
    </>
  );
}

/** The registered wallet that the USDT came from. */
function Wallets({
  wallets,
  addressId,
  error,
  onChoose,
}: {
  wallets: PaidProps["wallets"];
  addressId: string;
  error: string | null;
  onChoose: (id: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <div>
      <p className={styles.note}>{t("deposit.sender")}</p>
      <RadioList label={t("deposit.sender")} options={wallets} value={addressId} onChoose={onChoose} />
      {error !== null && (
        <p className={styles.trouble} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface QuotedProps {
  quote: CryptoQuote;
  request: Pick<Request<"submitCryptoDeposit">, "busy" | "refusal">;
  onAgain: () => void;
  onConfirm: () => void;
}

/** The quote while its seconds run; after them only another one helps. */
function Quoted({ quote, request: { busy, refusal }, onAgain, onConfirm }: QuotedProps) {
  const { t } = useTranslation();
  const { quoteId, amount, currency, creditCents, rate, spreadPerMillion } = quote;
  const left = useSecondsLeft(quoteId, quote.expiresAt - quote.quotedAt);
  const ended = refusal?.code === "CUR_QUOTE_EXPIRED" || (left === 0 && !busy);
  return (
    <Card label={t("conversion.quote")}>
      <div className={styles.form}>
        <FieldList
          fields={[
            { label: t("deposit.amount", { currency: PAID }), value: grouped(String(amount)) },
            { label: t("deposit.credit"), value: `${currency} ${formatMoney(creditCents)}` },
            { label: t("conversion.rate"), value: `1 ${PAID} = ${rate} ${currency}` },
            { label: t("conversion.spread"), value: formatRate(spreadPerMillion) },
          ]}
        />
        {ended ? (
          <>
            <p className={styles.trouble} role="alert">
              {t("refusal.CUR_QUOTE_EXPIRED")}
            </p>
            <Button tone="primary" size="large" block onClick={onAgain}>
              {t("conversion.askAgain")}
            </Button>
          </>
        ) : (
          <>
            <p role="timer">{t("conversion.lockedFor", { count: left })}</p>
            <Button tone="primary" size="large" block busy={busy} onClick={onConfirm}>
              {t("deposit.submit")}
            </Button>
          </>
        )}
      </div>
    </Card>
  );
}
