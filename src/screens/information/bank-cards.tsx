/** The member's bank cards: one is the default, each can be removed while no withdrawal is on its way to it. */
import { CreditCard } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BankCard } from "#contract/bank-card.ts";
import { bankName } from "#contract/bank.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { bankCards, useBankCards } from "#src/streams/bank-cards.ts";
import { useRules } from "#src/streams/rules.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { FundingError } from "./funding-error.tsx";
import styles from "./funding.module.css";

/** `/information/bankList` */
export function BankCards() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useBankCards();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("card.title")} fallback="/information/index" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={4} />}
        {value === null && state === "failed" && <ErrorState what={t("card.failed")} code={failure ?? ""} onRetry={retry} />}
        {value?.cards.length === 0 && (
          <EmptyState
            icon={<CreditCard size={32} aria-hidden />}
            title={t("card.none")}
            why={t("card.noneWhy")}
            action={{ label: t("card.add"), to: "/information/addBankCard" }}
          />
        )}
        {value && value.cards.length > 0 && (
          <div className={styles.inset}>
            {value.cards.map((card) => (
              <OneCard key={card.cardId} card={card} />
            ))}
            <ButtonLink to="/information/addBankCard" tone="primary" size="large" block>
              {t("card.add")}
            </ButtonLink>
          </div>
        )}
      </div>
    </Screen>
  );
}

function OneCard({ card }: { card: BankCard }) {
  const { t, i18n } = useTranslation();
  const hours = useRules().value?.account.slowHours ?? "…";
  const [removing, setRemoving] = useState(false);
  const changed = { onAccepted: () => bankCards.refetch(), onArrived: () => bankCards.refetch() };
  const chosen = useRequest("setDefaultCard", changed);
  const removal = useRequest("removeCard", {
    ...changed,
    onAccepted: () => {
      bankCards.refetch();
      showToast(t("operation.OP_DELETE_OK"), "success");
    },
  });
  const name = bankName(card.bankCode, i18n.language);
  return (
    <Card label={`${name} ${card.number}`}>
      <div className={styles.form}>
        <p className={styles.cardHead}>
          <strong>{name}</strong> {card.isDefault && <span className={styles.tag}>{t("card.default")}</span>}
        </p>
        <FieldList
          fields={[
            { label: t("card.number"), value: card.number },
            { label: t("card.holder"), value: card.holder },
            { label: t("card.branch"), value: `${card.branch} (${card.branchCode})` },
            { label: t("card.addedAt"), value: formatDateTime(card.addedAt) },
          ]}
        />
        <FundingError request={chosen} />
        <FundingError request={removal} />
        {card.isInUse ? (
          <p className={styles.note}>{t("refusal.CARD_IN_USE")}</p>
        ) : (
          <div className={styles.amounts}>
            {!card.isDefault && (
              <Button busy={chosen.busy} onClick={() => chosen.submit({ cardId: card.cardId })}>
                {t("card.makeDefault")}
              </Button>
            )}
            <Button tone="danger" busy={removal.busy} onClick={() => setRemoving(true)}>
              {t("card.remove")}
            </Button>
          </div>
        )}
      </div>
      <Alert
        open={removing}
        title={t("card.removeTitle", { name, number: card.number })}
        confirm={t("card.remove")}
        onClose={() => setRemoving(false)}
        onConfirm={() => {
          setRemoving(false);
          removal.submit({ cardId: card.cardId });
        }}
      >
        <p>{t("card.removeWhy", { hours })}</p>
      </Alert>
    </Card>
  );
}
