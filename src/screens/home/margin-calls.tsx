/** The history of margin calls, newest first. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { MarginCall } from "#contract/margin.ts";
import { List, Row, Section } from "#src/ui/row.tsx";

export function MarginCalls({ calls }: { calls: readonly MarginCall[] }) {
  const { t } = useTranslation();
  return (
    <Section title={t("margin.history")}>
      <List label={t("margin.history")}>
        {calls.map((call) => (
          <Row
            key={call.callNo}
            title={t(`status.marginCall.${call.status}`)}
            subtitle={`${formatDateTime(call.calledAt)}${call.endedAt === null ? "" : ` – ${formatDateTime(call.endedAt)}`}`}
            trailing={t("margin.paidOf", { paid: formatMoney(call.paidCents), of: formatMoney(call.requiredCents) })}
          />
        ))}
      </List>
    </Section>
  );
}
