/** Withdraws waiting alerts, tracks which are in progress, and reports failures. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { showToast } from "#src/gateway/toasts.ts";
import { withdrawAlert } from "#src/streams/alerts.ts";

/** Withdraws alerts, one request per alert at a time. Refusals are reported by the call itself. */
export function useAlertWithdrawal(): { leaving: (id: string) => boolean; withdraw: (id: string) => Promise<void> } {
  const { t } = useTranslation();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const withdraw = async (id: string): Promise<void> => {
    if (ids.has(id)) return;
    setIds((before) => new Set(before).add(id));
    const { failed } = await withdrawAlert(id);
    setIds((before) => new Set([...before].filter((one) => one !== id)));
    if (failed !== null && failed !== "expired" && failed !== "cancelled") showToast(t("alert.notWithdrawn"), "danger");
  };
  return { leaving: (id) => ids.has(id), withdraw };
}
