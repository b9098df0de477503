/** A seeded random generator: the same seed always gives the same sequence. */

export interface Random {
  /** An integer from `least` to `most`, both inclusive. */
  int(least: number, most: number): number;
  /** True with probability 1 / `times`. */
  once(times: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** One of the keys, with probabilities proportional to the weights. */
  weighted<Word extends string>(weights: Readonly<Record<Word, number>>): Word;
  uuid(): string;
}

/** Creates a generator from a seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[int(0, items.length - 1)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  };
  return {
    int,
    pick,
    once: (times) => int(1, times) === 1,
    weighted: <Word extends string>(weights: Readonly<Record<Word, number>>): Word => {
      const words = Object.keys(weights) as Word[];
      let left = next() * words.reduce((sum, word) => sum + weights[word], 0);
      for (const word of words) {
        left -= weights[word];
        if (left < 0) return word;
      }
      return pick(words);
    },
    uuid: () => {
      const hex = Array.from({ length: 32 }, () => int(0, 15).toString(16)).join("");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}
