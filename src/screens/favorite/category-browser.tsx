/** Every instrument by category in one virtual list, with live category changes as headings, a rail and an index sheet. */
import { ListTree } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useInstruments } from "#src/streams/instruments.ts";
import { categoryKey, categoryRankingPath, grouped } from "#src/screens/quote/categories.ts";
import { CategoryChange } from "#src/screens/quote/category-change.tsx";
import { categoryName } from "#src/screens/quote/names.ts";
import { QuoteList } from "#src/screens/quote/quote-list.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { IconButton } from "#src/ui/button.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { SectionRail } from "./section-rail.tsx";
import { SectionSheet } from "./section-sheet.tsx";
import styles from "./category-browser.module.css";

/** `/favorite/categoryList` */
export function CategoryBrowser() {
  const { t } = useTranslation();
  const table = useInstruments();
  const skeleton = useSkeleton(table === null);
  const [position, setPosition] = useState({ top: 0, atEnd: false });
  const [jump, setJump] = useState<{ to: number } | null>(null);
  const [choosing, setChoosing] = useState(false);
  const groups = useMemo(() => grouped(table?.categories ?? [], table?.list ?? [], null), [table]);
  const marks = useMemo(
    () => groups.map(({ category }) => ({ label: categoryName(category), group: t(`market.board.${category.board}`) })),
    [groups, t],
  );
  const sections = useMemo(
    () =>
      groups.map(({ category, place, items }) => ({
        id: categoryKey(category),
        title: t("ranking.mark", { group: t(`market.board.${category.board}`), label: categoryName(category) }),
        to: categoryRankingPath(category),
        note: <CategoryChange place={place} />,
        items,
      })),
    [groups, t],
  );
  const jumpTo = useCallback((to: number) => setJump({ to }), []);
  return (
    <Screen
      header={
        <BackHeader
          title={t("ranking.categories")}
          subtitle={table && t("ranking.categoryCount", { count: groups.length })}
          action={<IconButton label={t("ranking.jump")} icon={<ListTree size={22} aria-hidden />} onClick={() => setChoosing(true)} />}
          fallback="/favorite/index"
        />
      }
      top={<StaleNotice />}
      scroll="own"
    >
      {table ? (
        <div className={styles.browser}>
          <div className={styles.list}>
            <QuoteList
              label={t("ranking.categories")}
              sections={sections}
              onTop={(top, atEnd) => setPosition({ top, atEnd })}
              jump={jump}
            />
          </div>
          <SectionRail marks={marks} {...position} onJump={jumpTo} />
        </div>
      ) : (
        skeleton && <Skeleton rows={10} />
      )}
      <SectionSheet
        open={choosing}
        groups={groups}
        onClose={() => setChoosing(false)}
        onJump={(to) => {
          setChoosing(false);
          jumpTo(to);
        }}
      />
    </Screen>
  );
}
