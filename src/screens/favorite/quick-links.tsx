/** Links from the market tab to every other market view. */
import type { Path } from "#src/paths.ts";
import { ChartNoAxesColumn, Landmark, LayoutGrid, List, Star, Waypoints } from "lucide-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { LinkStrip } from "#src/ui/link-strip.tsx";

const LINKS = [
  { key: "watchlist", to: "/favorite/zxList", icon: Star },
  { key: "ranking", to: "/favorite/moreList", icon: ChartNoAxesColumn },
  { key: "sectors", to: "/market/Plate", icon: LayoutGrid },
  { key: "categories", to: "/favorite/categoryList", icon: List },
  { key: "indices", to: "/market/largeMarket", icon: Waypoints },
  { key: "markets", to: "/market/index", icon: Landmark },
] as const satisfies readonly { key: string; to: Path; icon: ComponentType }[];

export function QuickLinks() {
  const { t } = useTranslation();
  return <LinkStrip label={t("favorite.ways")} links={LINKS.map(({ key, ...link }) => ({ ...link, label: t(`favorite.way.${key}`) }))} />;
}
