/** What the members of a simulation have for money in and out. */

export interface Funding {
  /** Proofs that no deposit has named yet, by member, and those that one has. */
  fresh: Map<number, string[]>;
  named: string[];
  /** A bank account and a wallet address of each member. */
  cards: Map<number, string>;
  addresses: Map<number, string>;
  /** The newest quote of each member for USDT, and who asked for the last one. */
  quotes: Map<number, string>;
  quoted: number | null;
  /** Transactions that were reported. */
  hashes: string[];
}

export const newFunding = (): Funding => ({
  fresh: new Map(),
  named: [],
  cards: new Map(),
  addresses: new Map(),
  quotes: new Map(),
  quoted: null,
  hashes: [],
});
