/** Lays out a treemap: rectangles with areas proportional to their weights, as square as possible; tiles that are too small are merged. */

export interface Weighted {
  key: string;
  /** Not negative. */
  weight: number;
}

/** A rectangle in pixels of its frame. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Tile extends Rectangle {
  key: string;
}

/** The key of the tile for everything too small for its own. */
export const REST = "";

interface Area {
  key: string;
  area: number;
}

/** The worst aspect ratio in a strip of this thickness; 1 is square. */
function worstRatio(strip: readonly Area[], total: number, side: number): number {
  const thickness = total / side;
  let out = 1;
  for (const { area } of strip) {
    const length = area / thickness;
    out = Math.max(out, length / thickness, thickness / length);
  }
  return out;
}

/** Lays a strip along the shorter side of the remaining rectangle; returns what remains after it. */
function lay(strip: readonly Area[], total: number, left: Rectangle, tiles: Tile[]): Rectangle {
  const upright = left.width >= left.height;
  const thickness = total / (upright ? left.height : left.width);
  let along = upright ? left.y : left.x;
  for (const { key, area } of strip) {
    const length = area / thickness;
    tiles.push(
      upright
        ? { key, x: left.x, y: along, width: thickness, height: length }
        : { key, x: along, y: left.y, width: length, height: thickness },
    );
    along += length;
  }
  return upright
    ? { ...left, x: left.x + thickness, width: left.width - thickness }
    : { ...left, y: left.y + thickness, height: left.height - thickness };
}

/**
 * Lays out the weights in the given order (largest first gives the squarest tiles): a strip takes tiles as long as
 * its worst aspect ratio improves. Weights of 0 get no tile.
 */
export function squarified(weights: readonly Weighted[], width: number, height: number): Tile[] {
  const sum = weights.reduce((total, { weight }) => total + weight, 0);
  if (sum <= 0 || width <= 0 || height <= 0) return [];
  const tiles: Tile[] = [];
  let left: Rectangle = { x: 0, y: 0, width, height };
  let strip: Area[] = [];
  let total = 0;
  for (const { key, weight } of weights) {
    if (weight <= 0) continue;
    const next = { key, area: (weight / sum) * width * height };
    const side = Math.min(left.width, left.height);
    if (strip.length > 0 && worstRatio([...strip, next], total + next.area, side) > worstRatio(strip, total, side)) {
      left = lay(strip, total, left, tiles);
      strip = [];
      total = 0;
    }
    strip.push(next);
    total += next.area;
  }
  lay(strip, total, left, tiles);
  return tiles;
}

export interface Treemap {
  tiles: Tile[];
  /** Keys merged into the tile `REST`. */
  rest: string[];
}

const fits = (tile: Rectangle, least: number): boolean => tile.width >= least && tile.height >= least;

/** The treemap with as many own tiles as possible, all at least `least` pixels wide and high. */
export function treemapOf(weights: readonly Weighted[], width: number, height: number, least: number): Treemap {
  const sorted = weights.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  for (let own = sorted.length; own > 0; own -= 1) {
    const small = sorted.slice(own);
    const restWeight = small.reduce((total, { weight }) => total + weight, 0);
    const shown = [...sorted.slice(0, own), { key: REST, weight: restWeight }].toSorted((a, b) => b.weight - a.weight);
    const tiles = squarified(shown, width, height);
    if (own === 1 || tiles.every((tile) => fits(tile, least))) return { tiles, rest: small.map(({ key }) => key) };
  }
  return { tiles: [], rest: [] };
}
