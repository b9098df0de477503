/** Beside the stocks of the trade screen: how many futures and options are open, each with the way to them. */
import { useTranslation } from "react-i18next";
import { pathTo } from "#src/paths.ts";
import { useMember } from "#src/streams/member.ts";
import { List, Row } from "#src/ui/row.tsx";
import { EmptyState } from "#src/ui/state.tsx";

/** How many positions of futures and options are open. */
function useOpenContracts(): { futures: number; options: number } {
  const { openFutures = 0, openOptions = 0 } = useMember().value ?? {};
  return { futures: openFutures, options: openOptions };
}

export function OpenContracts() {
  const { t } = useTranslation();
  const { futures, options } = useOpenContracts();
  if (futures + options === 0) return null;
  return (
    <List>
      {futures > 0 && <Row compact title={t("trade.openFutures", { n: String(futures) })} to={pathTo("/home/futures", { part: "mine" })} />}
      {options > 0 && <Row compact title={t("trade.openOptions", { n: String(options) })} to={pathTo("/home/options", { part: "mine" })} />}
    </List>
  );
}

/** In place of the stocks: there are none, or nothing at all. */
export function NoneHeld() {
  const { t } = useTranslation();
  const { futures, options } = useOpenContracts();
  return (
    <EmptyState
      title={t(futures + options > 0 ? "trade.noStockHeld" : "trade.noneHeld")}
      why={t("trade.noneHeldWhy")}
      action={{ label: t("trade.findStock"), to: "/favorite/index" }}
    />
  );
}
