/** Withdrawing: everything that keeps one back with its way out, and only then the form. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BankCard } from "#contract/bank-card.ts";
import { bankName } from "#contract/bank.ts";
import { formatTwd, grouped } from "#contract/kernel/money.ts";
import { amountRefusal, withdrawalBlocks } from "#contract/withdrawal.ts";
import type { BlockingHolding, Withdrawal, WithdrawalFacts } from "#contract/withdrawal.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { takeWithdrawal, useWithdrawing } from "#src/streams/withdrawals.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Chip, RadioList } from "#src/ui/choice.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { Card, FieldList, List, Row, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { nameIn } from "#contract/instrument.ts";
import { Blocked } from "./blocked.tsx";
import { FundingError } from "./funding-error.tsx";
import styles from "./funding.module.css";

const FIELDS = ["amount", "cardId", "fundPassword"] as const;
const CENTS = 100;

/** `/information/cashOut` */
export function WithdrawPage() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useWithdrawing();
  const skeleton = useSkeleton(value === null && state === "loading");
  const blocks = value ? withdrawalBlocks(value.facts) : [];
  return (
    <Screen header={<BackHeader title={t("withdrawal.title")} fallback="/information/index" />}>
      <div className={styles.page}>
        <div className={styles.inset}>
          <p className={styles.note}>{t("funding.sandbox")}</p>
          {value === null && skeleton && <Skeleton rows={6} />}
          {value === null && state === "failed" && <ErrorState what={t("withdrawal.failed")} code={failure ?? ""} onRetry={retry} />}
          {value && <Withdrawable facts={value.facts} />}
          {value?.pending && <OnItsWay withdrawal={value.pending} />}
          <Blocked title={t("withdrawal.blocked")} missing={blocks} />
          {value && value.facts.holdings.length > 0 && <Holdings holdings={value.facts.holdings} />}
          {value && blocks.length === 0 && <WithdrawForm facts={value.facts} cards={value.cards} />}
          <ButtonLink to="/information/bankList">{t("card.title")}</ButtonLink>
        </div>
      </div>
    </Screen>
  );
}

function Withdrawable({ facts: { withdrawableCents, minimumCents, maximumCents } }: { facts: WithdrawalFacts }) {
  const { t } = useTranslation();
  return (
    <Card label={t("withdrawal.withdrawable")}>
      <FieldList
        fields={[
          { label: t("withdrawal.withdrawable"), value: formatTwd(withdrawableCents) },
          {
            label: t("withdrawal.bounds"),
            value: `${grouped(String(minimumCents / CENTS))} – ${grouped(String(maximumCents / CENTS))}`,
          },
          { label: t("withdrawal.when"), value: t("withdrawal.usually") },
        ]}
      />
    </Card>
  );
}

function OnItsWay({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation();
  return (
    <List label={t("withdrawal.onItsWay")}>
      <Row
        title={formatTwd(withdrawal.amountCents)}
        subtitle={`${t("withdrawal.onItsWay")} · ${t(`withdrawal.status.${withdrawal.status}`)}`}
        to={pathTo("/information/withdrawalDetail", { no: withdrawal.withdrawalNo })}
      />
    </List>
  );
}

/** The positions that keep the withdrawal back; each leads to where it is closed. */
function Holdings({ holdings }: { holdings: readonly BlockingHolding[] }) {
  const { t, i18n } = useTranslation();
  const table = useInstruments();
  return (
    <Section title={t("withdrawal.holdings")}>
      <ul className={styles.blocks} role="list">
        {holdings.map(({ orderNo, code }) => {
          const instrument = table?.byCode.get(code);
          return (
            <li key={orderNo}>
              <p>
                {instrument ? `${nameIn(i18n.language, instrument)} ${code}` : code}
                <br />
                <span className={styles.note}>{orderNo}</span>
              </p>
              <ButtonLink to={pathTo("/trade/positionDetail", { orderNo })}>{t("withdrawal.close")}</ButtonLink>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** The card that is paid to; one must be chosen. */
function ToCard({
  cards,
  cardId,
  error,
  onChoose,
}: {
  cards: readonly BankCard[];
  cardId: string;
  error: string | null;
  onChoose: (id: string) => void;
}) {
  const { t, i18n } = useTranslation();
  const options = cards.map((card) => ({
    value: card.cardId,
    label: `${bankName(card.bankCode, i18n.language)} ${card.number}`,
    hint: card.holder,
  }));
  return (
    <>
      <RadioList label={t("withdrawal.toCard")} options={options} value={cardId} onChoose={onChoose} />
      {error !== null && (
        <p className={styles.trouble} role="alert">
          {error}
        </p>
      )}
    </>
  );
}

/** The amount in whole NT$, with a chip for all of it. */
function AmountField(props: { text: string; amount: number | null; most: number; error: string | null; onText: (text: string) => void }) {
  const { text, amount, most, error, onText } = props;
  const { t } = useTranslation();
  return (
    <>
      <TextField label={t("withdrawal.amount")} value={text} inputMode="numeric" autoComplete="off" error={error} onText={onText} />
      <div className={styles.amounts}>
        <Chip pressed={amount === most} onPress={() => onText(String(most))}>
          {t("withdrawal.all", { amount: grouped(String(most)) })}
        </Chip>
      </div>
    </>
  );
}

function WithdrawForm({ facts, cards }: { facts: WithdrawalFacts; cards: readonly BankCard[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [fundPassword, setFundPassword] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const cardId = chosen ?? cards.find(({ isDefault }) => isDefault)?.cardId ?? cards[0]?.cardId ?? "";
  const digits = text.replaceAll(",", "");
  const amount = /^\d{1,10}$/.test(digits) ? Number(digits) : null;
  const most = Math.floor(Math.min(facts.withdrawableCents, facts.maximumCents) / CENTS);
  const request = useRequest("requestWithdrawal", {
    fields: FIELDS,
    check: (body) => {
      const refusal = amountRefusal(body.amount * CENTS, facts);
      return refusal ? [{ ...refusal, field: "amount" }] : [];
    },
    onAccepted: (withdrawal) => {
      setFundPassword("");
      takeWithdrawal(withdrawal);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
      void navigate(pathTo("/information/withdrawalDetail", { no: withdrawal.withdrawalNo }), { replace: true });
    },
  });
  const typed = (next: string): void => {
    setText(next);
    request.edit("amount");
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ amount, cardId, fundPassword });
      }}
    >
      <AmountField text={text} amount={amount} most={most} error={request.errorAt("amount")} onText={typed} />
      <ToCard
        cards={cards}
        cardId={cardId}
        error={request.errorAt("cardId")}
        onChoose={(id) => {
          setChosen(id);
          request.edit("cardId");
        }}
      />
      <TextField
        label={t("app.title.fundPassword")}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={fundPassword}
        error={request.errorAt("fundPassword")}
        onText={(next) => {
          setFundPassword(next);
          request.edit("fundPassword");
        }}
      />
      <FundingError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("withdrawal.submit")}
      </Button>
    </form>
  );
}
