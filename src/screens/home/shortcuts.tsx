/** Shortcut links on home: start trading, and the most used services. */
import type { Path } from "#src/paths.ts";
import { BellRing, CalendarCheck, Globe, Grid2x2, LayoutGrid, List, ListOrdered, TrendingUp } from "lucide-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { read } from "#src/gateway/storage.ts";
import { detailPath } from "#src/screens/quote/detail-link.ts";
import styles from "./home.module.css";

const LINKS = [
  { key: "markets", to: "/market/index", icon: Globe },
  { key: "sectors", to: "/market/Plate", icon: Grid2x2 },
  { key: "rankings", to: "/favorite/moreList", icon: ListOrdered },
  { key: "alerts", to: "/information/alerts", icon: BellRing },
  { key: "stocks", to: "/home/stockList", icon: List },
  { key: "checkIn", to: "/home/checkIn", icon: CalendarCheck },
  { key: "all", to: "/home/allTool", icon: LayoutGrid },
] as const satisfies readonly { key: string; to: Path; icon: ComponentType }[];

/** A strip of links. Trading starts at the instrument viewed last, or at the list of all stocks. */
export function Shortcuts() {
  const { t } = useTranslation();
  const last = read("stockDetail");
  return (
    <nav className={styles.ways} aria-label={t("home.shortcuts")}>
      <Link to={last ? detailPath(last.code) : "/home/stockList"} className={styles.way ?? ""} data-first>
        <TrendingUp size={20} aria-hidden />
        <span>{t("home.start")}</span>
      </Link>
      {LINKS.map(({ key, to, icon: Icon }) => (
        <Link key={key} to={to} className={styles.way ?? ""}>
          <Icon size={20} aria-hidden />
          <span>{t(`home.way.${key}`)}</span>
        </Link>
      ))}
    </nav>
  );
}
