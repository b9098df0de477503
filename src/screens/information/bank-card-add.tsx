/** Adding a bank card in the member's own name, with the fund password. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BANKS, bankName } from "#contract/bank.ts";
import { missingFor } from "#contract/eligibility.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { bankCards, useBankCards } from "#src/streams/bank-cards.ts";
import { useRules } from "#src/streams/rules.ts";
import { useMember } from "#src/streams/member.ts";
import { Button } from "#src/ui/button.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { Picker } from "#src/ui/picker.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { Blocked } from "./blocked.tsx";
import { FundingError } from "./funding-error.tsx";
import styles from "./funding.module.css";

const FIELDS = ["bankCode", "branch", "branchCode", "cardNumber", "fundPassword"] as const;
type Field = (typeof FIELDS)[number];

/** `/information/addBankCard` */
export function BankCardAdd() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useBankCards();
  const hours = useRules().value?.account.slowHours;
  const facts = useMember().value?.facts;
  const skeleton = useSkeleton(value === null && state === "loading");
  const missing = facts ? missingFor("addCard", facts) : [];
  return (
    <Screen header={<BackHeader title={t("card.add")} fallback="/information/bankList" />}>
      <div className={styles.page}>
        <div className={styles.inset}>
          {hours !== undefined && <p className={styles.note}>{t("card.slowed", { hours })}</p>}
          <Blocked title={t("card.blocked")} missing={missing} />
          {value === null && skeleton && <Skeleton rows={6} />}
          {value === null && state === "failed" && <ErrorState what={t("card.failed")} code={failure ?? ""} onRetry={retry} />}
          {value && facts && missing.length === 0 && <CardForm holder={value.holder} />}
        </div>
      </div>
    </Screen>
  );
}

function CardForm({ holder }: { holder: string }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState<Record<Field, string>>({ bankCode: "", branch: "", branchCode: "", cardNumber: "", fundPassword: "" });
  const request = useRequest("addCard", {
    fields: FIELDS,
    onAccepted: () => {
      bankCards.refetch();
      showToast(t("operation.OP_BIND_CARD_OK"), "success");
      void navigate("/information/bankList", { replace: true });
    },
  });
  const set = (field: Field, text: string): void => {
    setTyped((before) => ({ ...before, [field]: text }));
    request.edit(field);
  };
  const field = (name: Exclude<Field, "bankCode">) => ({
    label: t(name === "fundPassword" ? "app.title.fundPassword" : `card.field.${name}`),
    value: typed[name],
    error: request.errorAt(name),
    onText: (text: string) => set(name, text),
  });
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit(typed);
      }}
    >
      <TextField label={t("card.holder")} value={holder} readOnly hint={t("card.holderHint")} onText={() => undefined} />
      <Picker
        label={t("card.field.bankCode")}
        value={typed.bankCode}
        options={[
          { value: "", label: t("card.chooseBank") },
          ...BANKS.map(({ code }) => ({ value: code, label: `${code} ${bankName(code, i18n.language)}` })),
        ]}
        onChoose={(code) => set("bankCode", code)}
      />
      {request.errorAt("bankCode") !== null && (
        <p className={styles.trouble} role="alert">
          {t("card.chooseBank")}
        </p>
      )}
      <TextField {...field("branch")} autoComplete="off" maxLength={40} />
      <TextField {...field("branchCode")} inputMode="numeric" autoComplete="off" maxLength={4} hint={t("card.branchCodeHint")} />
      <TextField {...field("cardNumber")} inputMode="numeric" autoComplete="off" hint={t("card.numberHint")} />
      <TextField {...field("fundPassword")} type="password" inputMode="numeric" autoComplete="off" maxLength={6} />
      <FundingError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("card.save")}
      </Button>
    </form>
  );
}
