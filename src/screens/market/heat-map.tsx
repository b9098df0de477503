/** The categories of a board as a treemap: area is turnover, tone is direction, and both are said in words. */
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { CSSProperties, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { shortName } from "#src/screens/quote/names.ts";
import { trendOf } from "#src/ui/direction.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import type { CategoryHeat } from "#src/screens/quote/breadth.ts";
import { categoryPath } from "./category-link.ts";
import { REST, treemapOf } from "./treemap.ts";
import type { Rectangle, Weighted } from "./treemap.ts";
import styles from "./heat-map.module.css";

/** Tiles are laid out anew this often: what a finger aims at must not run away. */
const RELAY_MS = 5_000;
/** No tile is smaller than a finger, or than its number; in rem, so that it grows with the letters. */
const LEAST_REM = 3;
const LARGE_REM = { width: 6, height: 4.5 } as const;
/** From how many hundredths of a percent a tile takes the next stronger tone. */
const STRONGER = [75, 200] as const;
/** The style sheet's measures of a tile: padding and border in pixels, the height of the first line and of the others in rem. */
const TEXT = { small: { frame: 6, first: 0.825, line: 0.825 }, large: { frame: 18, first: 1.4875, line: 1.1375 } } as const;

const keyOf = ({ category }: CategoryHeat): string => category.code;

/** One board's map; mount it anew for another. `onList` shows the list, where also the smallest are. */
export function HeatMap({ heats, onList }: { heats: readonly CategoryHeat[]; onList: () => void }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const { width, height, rem } = useSize(frame);
  const weights = useWeights(heats);
  const { tiles, rest } = useMemo(() => treemapOf(weights, width, height, LEAST_REM * rem), [weights, width, height, rem]);
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

/** How many lines of text a tile has room for, in pixels of its height: a name is cut between lines, never through one. */
export function linesIn(height: number, rem: number, large: boolean): number {
  const { frame, first, line } = large ? TEXT.large : TEXT.small;
  return Math.max(1, 1 + Math.floor((height - frame - first * rem) / (line * rem)));
}

/** A link: the change on its first line, the name below it, which may be cut. */
function Tile({ of: { category, heat, change, turnover }, place, rem }: { of: CategoryHeat; place: Rectangle; rem: number }) {
  const { t, i18n } = useTranslation();
  const name = shortName(category, i18n.language);
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

/** What the layout is made of: the turnovers of now and then, not of every second. */
function useWeights(heats: readonly CategoryHeat[]): readonly Weighted[] {
  const [weights, setWeights] = useState(() => weightsOf(heats));
  const weigh = useEffectEvent(() => setWeights(weightsOf(heats)));
  useEffect(() => {
    const timer = window.setInterval(() => weigh(), RELAY_MS);
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
