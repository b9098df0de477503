/** What an order of futures or options does to the margin of the wallet that they share. */
import { useTranslation } from "react-i18next";
import type { Cents } from "#contract/kernel/money.ts";
import { formatGain, formatTwd } from "#contract/kernel/money.ts";
import type { Field } from "#src/ui/row.tsx";
import { BlockedNotice } from "#src/ui/state.tsx";

/** The margin that an order adds or frees, and that of the whole account afterwards. */
export function useMarginFields(): (cost: { marginCents: Cents; marginAfterCents: Cents }) => Field[] {
  const { t } = useTranslation();
  return ({ marginCents, marginAfterCents }) => [
    { label: t("futures.marginChange"), value: formatGain(marginCents) },
    { label: t("futures.marginAfter"), value: formatTwd(marginAfterCents) },
  ];
}

/** What has to be moved into the wallet first. */
export function LackingNotice({ lackingCents }: { lackingCents: Cents }) {
  const { t } = useTranslation();
  if (lackingCents <= 0) return null;
  return (
    <BlockedNotice
      title={t("futures.lacking")}
      why={t("futures.lackingWhy", { amount: formatTwd(lackingCents) })}
      action={{ label: t("futures.move"), to: "/information/payBag" }}
    />
  );
}
