/** The ways from the second tab to every other view of the market. */
import type { Path } from "#src/paths.ts";
import { ChartNoAxesColumn, Landmark, LayoutGrid, List, Star, Waypoints } from "lucide-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import styles from "./quotes.module.css";

const WAYS = [
  { key: "watchlist", to: "/favorite/zxList", icon: Star },
  { key: "ranking", to: "/favorite/moreList", icon: ChartNoAxesColumn },
  { key: "sectors", to: "/market/Plate", icon: LayoutGrid },
  { key: "categories", to: "/favorite/categoryList", icon: List },
  { key: "indices", to: "/market/largeMarket", icon: Waypoints },
  { key: "markets", to: "/market/index", icon: Landmark },
] as const satisfies readonly { key: string; to: Path; icon: ComponentType }[];

/** A strip of links that scrolls sideways where it must. */
export function QuickLinks() {
  const { t } = useTranslation();
  return (
    <nav className={styles.ways} aria-label={t("favorite.ways")}>
      {WAYS.map(({ key, to, icon: Icon }) => (
        <Link key={key} to={to} className={styles.way ?? ""}>
          <Icon size={20} aria-hidden />
          <span>{t(`favorite.way.${key}`)}</span>
        </Link>
      ))}
    </nav>
  );
}
