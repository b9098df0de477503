/** The ledger's lines of one moment: what a deposit or a withdrawal moved. */
import { useTranslation } from "react-i18next";
import type { CashEntryKind } from "#contract/cash-ledger.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import { cashLedger } from "#src/streams/cash-ledger.ts";
import { usePages } from "#src/streams/pages.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { List, Row } from "#src/ui/row.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";

export function FundingLines({ kinds, at }: { kinds: readonly CashEntryKind[]; at: number }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = usePages(cashLedger({ kinds, from: epochMs(at), until: epochMs(at + 1) }));
  const skeleton = useSkeleton(value === null && state === "loading");
  if (value === null) {
    if (state === "failed") return <ErrorState what={t("funding.linesFailed")} code={failure ?? ""} onRetry={retry} />;
    return skeleton ? <Skeleton rows={1} /> : null;
  }
  return (
    <List label={t("funding.lines")}>
      {value.items.map((line) => (
        <Row
          key={`${line.flowNo} ${line.currency}`}
          title={t(`information.flow.kind.${line.kind}`)}
          subtitle={`${line.flowNo} · ${t("funding.balance", { amount: `${line.currency} ${formatMoney(line.balanceCents)}` })}`}
          trailing={<Direction trend={trendOf(line.availableCents)} text={formatMoney(line.availableCents, "always")} arrow={false} />}
          to={pathTo("/information/movement", { no: line.flowNo })}
        />
      ))}
    </List>
  );
}
