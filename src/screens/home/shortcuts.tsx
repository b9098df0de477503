/** Shortcut links on home: start trading, and the most used services. */
import type { Path } from "#src/paths.ts";
import { BellRing, Bitcoin, CalendarCheck, Globe, Grid2x2, LayoutGrid, List, ListOrdered, TrendingUp } from "lucide-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { read } from "#src/gateway/storage.ts";
import { detailPath } from "#src/screens/quote/detail-link.ts";
import { LinkStrip } from "#src/ui/link-strip.tsx";

const LINKS = [
  { key: "markets", to: "/market/index", icon: Globe },
  { key: "sectors", to: "/market/Plate", icon: Grid2x2 },
  { key: "rankings", to: "/favorite/moreList", icon: ListOrdered },
  { key: "alerts", to: "/information/alerts", icon: BellRing },
  { key: "stocks", to: "/home/stockList", icon: List },
  { key: "crypto", to: "/home/crypto", icon: Bitcoin },
  { key: "checkIn", to: "/home/checkIn", icon: CalendarCheck },
  { key: "all", to: "/home/allTool", icon: LayoutGrid },
] as const satisfies readonly { key: string; to: Path; icon: ComponentType }[];

/** A strip of links. Trading starts at the instrument viewed last, or at the list of all stocks. */
export function Shortcuts() {
  const { t } = useTranslation();
  const last = read("stockDetail");
  return (
    <LinkStrip
      label={t("home.shortcuts")}
      links={[
        { to: last ? detailPath(last.code) : "/home/stockList", icon: TrendingUp, label: t("home.start"), main: true },
        ...LINKS.map(({ key, ...link }) => ({ ...link, label: t(`home.way.${key}`) })),
      ]}
    />
  );
}
