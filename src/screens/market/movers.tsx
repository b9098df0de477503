/** The breadth of an index, and the constituents that add and take the most points. */
import { pathTo } from "#src/paths.ts";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import type { Category, Instrument } from "#contract/instrument.ts";
import { useContribution } from "#src/streams/contributions.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import type { Instruments } from "#src/streams/instruments.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import type { ContributionUpdate } from "#src/streams/contributions.ts";
import { ownPath, rememberDetail } from "#src/screens/quote/detail-link.ts";
import { fullName, categoryName } from "#src/screens/quote/names.ts";
import { List, Row } from "#src/ui/row.tsx";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { boardOf } from "./board-index.ts";
import { BreadthBar } from "#src/screens/quote/breadth-bar.tsx";
import { categoryPath } from "./category-link.ts";
import styles from "./movers.module.css";

const SIDES = ["leaders", "laggards"] as const;

/** Updates about once a second. */
export function Movers({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const table = useInstruments();
  const update = useContribution(instrument.code);
  const waiting = update === null || table === null;
  const skeleton = useSkeleton(waiting);
  if (waiting) return skeleton && <Skeleton rows={8} />;
  return (
    <>
      <section className={styles.breadth} aria-labelledby="breadth">
        <h2 id="breadth">{t("market.breadth.title")}</h2>
        <BreadthBar breadth={update.index} />
      </section>
      {SIDES.map((side) => (
        <Side key={side} side={side} update={update} table={table} />
      ))}
      <ConstituentsLink instrument={instrument} sector={sectorOf(update.index, table)} />
    </>
  );
}

function Side({ side, update, table }: { side: (typeof SIDES)[number]; update: ContributionUpdate; table: Instruments }) {
  const { t } = useTranslation();
  const parts = update.index[side];
  return (
    <section className={styles.side} aria-labelledby={side}>
      <h2 id={side}>{t(`market.movers.${side}`)}</h2>
      {parts.length === 0 && <EmptyState title={t(`market.movers.no.${side}`)} />}
      <ul role="list">
        {parts.map(([row, points], at) => {
          const instrument = table.list[row];
          if (!instrument) return null;
          const text = t("market.movers.points", { points: update.texts[side][at] ?? "" });
          return (
            <Mover key={instrument.code} instrument={instrument} points={text} trend={points > 0 ? "up" : points < 0 ? "down" : "flat"} />
          );
        })}
      </ul>
    </section>
  );
}

interface MoverProps {
  instrument: Instrument;
  points: string;
  trend: "up" | "down" | "flat";
}

const Mover = memo(function Mover({ instrument, points, trend }: MoverProps) {
  return (
    <li className={styles.mover}>
      <Link to={ownPath(instrument)} onClick={() => rememberDetail(instrument)}>
        <span className={styles.names}>
          <span className={styles.name}>{fullName(instrument)}</span>
          <span className={styles.code}>{instrument.code}</span>
        </span>
        <QuoteCell code={instrument.code} field="percent" className={styles.percent} />
        <span className={styles.points} data-d={trend}>
          {points}
        </span>
      </Link>
    </li>
  );
});

/** The link to all constituents: those of its one category, or the board's categories. */
function ConstituentsLink({ instrument, sector }: { instrument: Instrument; sector: Category | null }) {
  const { t, i18n } = useTranslation();
  return (
    <div className={styles.whole}>
      <List>
        {sector ? (
          <Row
            title={t("market.movers.constituents")}
            subtitle={categoryName(sector, i18n.language)}
            trailing={String(sector.count)}
            to={categoryPath(sector)}
          />
        ) : (
          <Row
            title={t("market.heat.title")}
            subtitle={t("market.movers.bySector")}
            to={pathTo("/market/Plate", { board: boardOf(instrument) })}
          />
        )}
      </List>
    </div>
  );
}

/** The common category of all movers of an index; null when they come from several. */
export function sectorOf({ leaders, laggards }: ContributionUpdate["index"], { list, categories }: Instruments): Category | null {
  const keys = new Set(
    [...leaders, ...laggards].flatMap(([row]) => {
      const instrument = list[row];
      return instrument ? [`${instrument.board} ${instrument.category}`] : [];
    }),
  );
  if (keys.size !== 1) return null;
  return categories.find(({ board, code }) => keys.has(`${board} ${code}`)) ?? null;
}
