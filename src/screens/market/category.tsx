/** The screen of one category: its summary, and its live constituents sorted by a column. */
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useQuery } from "#src/ui/link.tsx";
import type { Category as CategoryOf, Instrument } from "#contract/instrument.ts";
import { MAX_WATCHED } from "#contract/quote.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { ownPath, rememberDetail } from "#src/screens/quote/detail-link.ts";
import { useNamed, useSorted } from "#src/screens/quote/lists.ts";
import { fullName, categoryName } from "#src/screens/quote/names.ts";
import { SearchLink } from "#src/screens/quote/search-link.tsx";
import { nextSort } from "#src/screens/quote/sorting.ts";
import type { Sort, SortField } from "#src/screens/quote/sorting.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { VirtualTable } from "#src/ui/virtual-table.tsx";
import { BreadthBar } from "#src/screens/quote/breadth-bar.tsx";
import { categoryAt } from "./category-link.ts";
import { useCategoryHeats } from "#src/screens/quote/use-sector-heats.ts";
import styles from "./category.module.css";

/** `/market/Plate1?board=listed&category=24` */
export function Category() {
  const { t } = useTranslation();
  const [query] = useQuery<"/market/Plate1">();
  const table = useInstruments();
  const skeleton = useSkeleton(table === null);
  const category = categoryAt(query, table?.categories ?? []);
  if (category) return <CategoryTable key={`${category.board} ${category.code}`} category={category} />;
  return (
    <Screen header={<BackHeader title={t("market.heat.title")} fallback="/market/Plate" />}>
      {skeleton && !table && <Skeleton rows={8} />}
      {table && <EmptyState title={t("market.heat.unknown")} action={{ label: t("market.heat.title"), to: "/market/Plate" }} />}
    </Screen>
  );
}

const COLUMNS = [
  ["last", 5.5],
  ["percent", 5.5],
  ["turnover", 5.5],
  ["volume", 5],
  ["amplitude", 5],
] as const satisfies readonly (readonly [SortField, number])[];
type Column = (typeof COLUMNS)[number][0];

const codeOf = (instrument: Instrument): string => instrument.code;

function CategoryTable({ category }: { category: CategoryOf }) {
  const { t, i18n } = useTranslation();
  const table = useInstruments();
  const [sort, setSort] = useState<Sort | null>({ by: "percent", descending: true });
  const codes = useMemo(() => {
    const inside = table?.list.filter(({ board, category: code }) => board === category.board && code === category.code);
    return inside?.slice(0, MAX_WATCHED).map(codeOf) ?? null;
  }, [table, category]);
  const instruments = useNamed(useSorted(codes, sort));
  const columns = useMemo(() => COLUMNS.map(([name, rem]) => ({ name, rem, title: t(`ranking.column.${name}`), sorts: true })), [t]);
  return (
    <Screen
      header={
        <BackHeader
          title={categoryName(category, i18n.language)}
          subtitle={t("home.category", {
            board: t(`market.board.${category.board}`),
            category: t("market.heat.count", { count: category.count }),
          })}
          action={<SearchLink />}
          fallback="/market/Plate"
        />
      }
      top={
        <>
          <StaleNotice />
          <Head category={category} />
        </>
      }
      scroll="own"
      width="wide"
    >
      <VirtualTable<Instrument, Column>
        label={categoryName(category, i18n.language)}
        items={instruments ?? []}
        keyOf={codeOf}
        corner={t("ranking.name")}
        columns={columns}
        RowHead={Name}
        Cell={Value}
        sort={sort && isColumn(sort.by) ? { by: sort.by, descending: sort.descending } : null}
        onSort={(by) => setSort((before) => nextSort(before, by))}
        after={
          category.count > MAX_WATCHED && <p className={styles.after}>{t("market.firstOf", { n: MAX_WATCHED, all: category.count })}</p>
        }
      />
    </Screen>
  );
}

const isColumn = (by: SortField): by is Column => COLUMNS.some(([name]) => name === by);

function Name({ item }: { item: Instrument }) {
  return (
    <Link to={ownPath(item)} className={styles.name ?? ""} onClick={() => rememberDetail(item)}>
      <span>{fullName(item)}</span>
      <span className={styles.code}>{item.code}</span>
    </Link>
  );
}

function Value({ item, column }: { item: Instrument; column: Column }) {
  return <QuoteCell code={item.code} field={column} />;
}

/** The summary of the category, updated about once a second; its layout does not change while loading. */
function Head({ category }: { category: CategoryOf }) {
  const { t } = useTranslation();
  const of = useCategoryHeats()?.find((one) => one.category === category);
  const heat = of?.heat ?? { up: 0, down: 0, flat: 0, limitUp: 0, limitDown: 0 };
  return (
    <section className={styles.head} aria-label={t("market.heat.whole")}>
      <p className={styles.line} data-live>
        <span className={styles.change}>{of ? <Direction trend={trendOf(of.heat.change)} text={of.change} /> : "--"}</span>
        <span>
          {t("market.stat.turnover")} <b>{of?.turnover ?? "--"}</b>
        </span>
      </p>
      <BreadthBar breadth={heat} />
    </section>
  );
}
