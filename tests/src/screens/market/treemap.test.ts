/** Tests the treemap: areas match the weights, no overlaps, no gaps, no tile too small to touch. */
import { describe, expect, it } from "vitest";
import { linesIn } from "#src/screens/market/heat-map.tsx";
import { REST, squarified, treemapOf } from "#src/screens/market/treemap.ts";
import type { Tile, Weighted } from "#src/screens/market/treemap.ts";

/** Weights as skewed as a market's turnover, reproducible. */
function skewed(count: number, seed: number): Weighted[] {
  let state = seed;
  return Array.from({ length: count }, (_, at) => {
    state = (state * 48_271) % 2_147_483_647;
    return { key: String(at + 1), weight: Math.round(Math.exp((state / 2_147_483_647) * 9)) };
  });
}

const frames = [
  [328, 420],
  [1_000, 600],
  [600, 100],
] as const;

function expectToFill(tiles: readonly Tile[], width: number, height: number): void {
  const filled = tiles.reduce((sum, tile) => sum + tile.width * tile.height, 0);
  expect(filled).toBeCloseTo(width * height, 3);
  for (const tile of tiles) {
    expect(tile.x).toBeGreaterThanOrEqual(-1e-6);
    expect(tile.y).toBeGreaterThanOrEqual(-1e-6);
    expect(tile.x + tile.width).toBeLessThanOrEqual(width + 1e-6);
    expect(tile.y + tile.height).toBeLessThanOrEqual(height + 1e-6);
  }
  // All inside the frame with the same total area: without overlap there is no gap either.
  tiles.forEach((one, at) => {
    for (const other of tiles.slice(at + 1)) {
      const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
      const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
      expect(Math.min(across, down)).toBeLessThan(1e-6);
    }
  });
}

describe("squarified", () => {
  it.each(frames)("fills %i x %i with tiles proportional to their weights, without overlap", (width, height) => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const weights = skewed(37, seed).toSorted((a, b) => b.weight - a.weight);
      const sum = weights.reduce((total, { weight }) => total + weight, 0);
      const tiles = squarified(weights, width, height);
      expectToFill(tiles, width, height);
      const byKey = new Map(tiles.map((tile) => [tile.key, tile.width * tile.height]));
      for (const { key, weight } of weights) expect(byKey.get(key)).toBeCloseTo((weight / sum) * width * height, 3);
    }
  });

  it("keeps tiles near square where slices would be thin", () => {
    const tiles = squarified(
      [6, 6, 4, 3, 2, 2, 1].map((weight, at) => ({ key: String(at), weight })),
      600,
      400,
    );
    const worst = Math.max(...tiles.map(({ width, height }) => Math.max(width / height, height / width)));
    expect(worst).toBeLessThan(3);
  });

  it("gives zero weights no tile, and no tiles for no weight or no room", () => {
    const weights = [
      { key: "a", weight: 1 },
      { key: "b", weight: 0 },
    ];
    expect(squarified(weights, 10, 10)).toEqual([{ key: "a", x: 0, y: 0, width: 10, height: 10 }]);
    expect(squarified([{ key: "b", weight: 0 }], 10, 10)).toEqual([]);
    expect(squarified(weights, 0, 10)).toEqual([]);
  });
});

describe("treemapOf", () => {
  it("merges tiles that are too small to touch, and lists them", () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const weights = skewed(37, seed);
      const { tiles, rest } = treemapOf(weights, 328, 420, 44);
      expectToFill(tiles, 328, 420);
      if (tiles.length > 2) for (const { width, height } of tiles) expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
      const own = tiles.map(({ key }) => key).filter((key) => key !== REST);
      expect([...own, ...rest].toSorted()).toEqual(weights.map(({ key }) => key).toSorted());
      expect(tiles.some(({ key }) => key === REST)).toBe(rest.length > 0);
    }
  });

  it("merges nothing where there is room, and shows two tiles where there is none", () => {
    const even = Array.from({ length: 9 }, (_, at) => ({ key: String(at), weight: 5 }));
    expect(treemapOf(even, 300, 300, 44).rest).toEqual([]);
    expect(treemapOf(even, 300, 300, 44).tiles).toHaveLength(9);
    const cramped = treemapOf(even, 30, 30, 44);
    expect(cramped.tiles).toHaveLength(2);
    expect(cramped.rest).toHaveLength(8);
    expect(treemapOf([], 300, 300, 44)).toEqual({ tiles: [], rest: [] });
  });
});

describe("a tile's text", () => {
  it("has as many whole lines as fit, and at least one", () => {
    expect(linesIn(48, 16, false)).toBe(3);
    expect(linesIn(10, 16, false)).toBe(1);
    expect(linesIn(72, 16, true)).toBe(2);
    expect(linesIn(96, 32, true)).toBe(1);
  });
});
