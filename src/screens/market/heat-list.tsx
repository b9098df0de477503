/** The categories of a board as a sorted list: change, breadth and turnover. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { categoryName } from "#src/screens/quote/names.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { Hidden } from "#src/ui/hidden.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import { sortedHeats } from "#src/screens/quote/breadth.ts";
import type { CategoryHeat, HeatSort } from "#src/screens/quote/breadth.ts";
import { BreadthStrip } from "#src/screens/quote/breadth-bar.tsx";
import { categoryPath } from "./category-link.ts";
import styles from "./categories.module.css";

const keyOf = ({ category }: CategoryHeat): string => `${category.board} ${category.code}`;

/** Sorted again about once a second. */
export function HeatList({ heats, by, descending }: { heats: readonly CategoryHeat[]; by: HeatSort; descending: boolean }) {
  const { t } = useTranslation();
  const sections = useMemo(() => [{ id: "heats", items: sortedHeats(heats, by, descending) }], [heats, by, descending]);
  return <VirtualList label={t("market.heat.title")} sections={sections} keyOf={keyOf} Row={HeatRow} />;
}

function HeatRow({ item: { category, heat, change, turnover } }: { item: CategoryHeat }) {
  const { t, i18n } = useTranslation();
  return (
    <Link to={categoryPath(category)} className={styles.row ?? ""}>
      <span className={styles.texts}>
        <span className={styles.name}>{categoryName(category, i18n.language)}</span>
        <span className={styles.breadth} data-live>
          <Direction trend="up" text={String(heat.up)} />
          <BreadthStrip breadth={heat} />
          <Direction trend="down" text={String(heat.down)} />
        </span>
      </span>
      <span className={styles.numbers} data-live>
        <span className={styles.change}>
          <Direction trend={trendOf(heat.change)} text={change} />
        </span>
        <span className={styles.turnover}>
          <Hidden>{t("market.stat.turnover")}</Hidden> {turnover}
        </span>
      </span>
    </Link>
  );
}
