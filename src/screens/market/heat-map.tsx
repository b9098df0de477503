/** The categories of a board as a treemap: area is turnover, colour is direction, and both are given as text. */
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { CSSProperties, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { categoryName } from "#src/screens/quote/names.ts";
import { trendOf } from "#src/ui/direction.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import type { CategoryHeat } from "#src/screens/quote/breadth.ts";
import { categoryPath } from "./category-link.ts";
import { REST, treemapOf } from "./treemap.ts";
import type { Rectangle, Weighted } from "./treemap.ts";
import styles from "./heat-map.module.css";

/** The layout interval in milliseconds: a tile must not move while the user aims at it. */
const LAYOUT_INTERVAL_MS = 5_000;
/** The minimum tile size, for touch and for its text; in rem, so that it grows with the font size. */
const MIN_TILE_REM = 3;
const LARGE_REM = { width: 6, height: 4.5 } as const;
/** The changes, in hundredths of a percent, from which a tile has a stronger tone. */
const STRONGER = [75, 200] as const;
/** The tile measures of the style sheet: padding and border in pixels, height of the first and of the other lines in rem. */
const TEXT = { small: { frame: 6, first: 0.825, line: 0.825 }, large: { frame: 18, first: 1.4875, line: 1.1375 } } as const;

const keyOf = ({ category }: CategoryHeat): string => category.code;

/** The map of one board; remount it for another. `onList` opens the list, which also shows the smallest categories. */
export function HeatMap({ heats, onList }: { heats: readonly CategoryHeat[]; onList: () => void }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const { width, height, rem } = useSize(frame);
  const weights = useWeights(heats);
  const { tiles, rest } = useMemo(() => treemapOf(weights, width, height, MIN_TILE_REM * rem), [weights, width, height, rem]);
  const places = new Map(tiles.map((tile) => [tile.key, tile]));
  const others = places.get(REST);
  const idle = weights.length > 0 && weights.every(({ weight }) => weight === 0);
  return (
    <figure className={styles.figure}>
      {idle && <EmptyState title={t("market.tape.none")} action={{ label: t("market.heat.view.list"), onPress: onList }} />}
      <div ref={frame} className={styles.map} role="group" aria-label={t("market.heat.title")} hidden={idle}>
        {heats.map((one) => {
          const place = places.get(keyOf(one));
          return place && <Tile key={keyOf(one)} of={one} place={place} rem={rem} />;
        })}
        {others && (
          <button type="button" className={styles.tile} style={styleOf(others)} data-rest onClick={onList}>
            {t("market.heat.rest", { count: rest.length })}
          </button>
        )}
      </div>
      <figcaption className={styles.caption}>{t("market.heat.legend")}</figcaption>
    </figure>
  );
}

const styleOf = ({ x, y, width, height }: Rectangle): CSSProperties => ({
  translate: `${x.toFixed(1)}px ${y.toFixed(1)}px`,
  inlineSize: `${width.toFixed(1)}px`,
  blockSize: `${height.toFixed(1)}px`,
});

/** How many lines of text fit in a tile's height (in pixels): a name is cut between lines, never through one. */
export function linesIn(height: number, rem: number, large: boolean): number {
  const { frame, first, line } = large ? TEXT.large : TEXT.small;
  return Math.max(1, 1 + Math.floor((height - frame - first * rem) / (line * rem)));
}

/** A tile links to its category: the change on the first line, the name below, which may be cut. */
function Tile({ of: { category, heat, change, turnover }, place, rem }: { of: CategoryHeat; place: Rectangle; rem: number }) {
  const { t, i18n } = useTranslation();
  const name = categoryName(category, i18n.language);
  const size = Math.abs(heat.change);
  const large = place.width >= LARGE_REM.width * rem && place.height >= LARGE_REM.height * rem;
  return (
    <Link
      to={categoryPath(category)}
      className={styles.tile ?? ""}
      style={styleOf(place)}
      data-way={trendOf(heat.change)}
      data-level={STRONGER.filter((from) => size >= from).length}
      data-large={large || undefined}
      aria-label={t("market.heat.tile", { name, change, turnover, up: heat.up, down: heat.down })}
    >
      <span className={styles.words} style={{ WebkitLineClamp: linesIn(place.height, rem, large) }}>
        {`${change}\n${name}`}
      </span>
    </Link>
  );
}

const weightsOf = (heats: readonly CategoryHeat[]): Weighted[] => heats.map((one) => ({ key: keyOf(one), weight: one.heat.turnover }));

/** The turnovers used for the layout, sampled at the layout interval. */
function useWeights(heats: readonly CategoryHeat[]): readonly Weighted[] {
  const [weights, setWeights] = useState(() => weightsOf(heats));
  const sampleWeights = useEffectEvent(() => setWeights(weightsOf(heats)));
  useEffect(() => {
    const timer = window.setInterval(() => sampleWeights(), LAYOUT_INTERVAL_MS);
    return () => window.clearInterval(timer);
  }, []);
  return weights;
}

interface Size {
  width: number;
  height: number;
  /** One rem in pixels, at least 16. */
  rem: number;
}

function useSize(frame: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0, rem: 16 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      const rem = Math.max(16, Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
      setSize({ width: Math.floor(width), height: Math.floor(height), rem });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return size;
}
