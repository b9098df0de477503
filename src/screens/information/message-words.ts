/** Subject and text of a message in the reader's language. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Message } from "#contract/message.ts";
import { alertFiredWords } from "#src/actors/alert-words.ts";
import { useInstruments } from "#src/streams/instruments.ts";

/** The subject and text of a message, in a component. */
export function useMessageWords({ alert, call, debt }: Message): { title: string; text: string } {
  const { t, i18n } = useTranslation();
  const table = useInstruments();
  if (call) {
    const amount = formatMoney(call.requiredCents);
    return { title: t("message.marginCall.title"), text: t("message.marginCall.text", { amount, until: formatDateTime(call.dueAt) }) };
  }
  if (debt) {
    const { incurredCents, owedCents, cancelled } = debt;
    const params = { incurred: formatMoney(incurredCents), orders: cancelled.length, owed: formatMoney(owedCents) };
    const sold = owedCents > 0 ? ` ${t("message.debt.sold")}` : "";
    return { title: t("message.debt.title"), text: `${t("message.debt.text", params)}${sold}` };
  }
  if (!alert) return { title: t("message.welcome.title"), text: t("message.welcome.text") };
  return alertFiredWords(alert, table?.byCode.get(alert.code), i18n.language, t);
}
