/** Samples of interleaved rounds: medians, and medians of the ratios within each round, which cancels drift of the machine. */

/** The median; of an even number of values the upper middle one. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Measured values by name, one per round. */
export class Samples {
  readonly #values = new Map<string, number[]>();

  note(what: string, value: number): void {
    const known = this.#values.get(what);
    if (known) known.push(value);
    else this.#values.set(what, [value]);
  }

  /** All values of one measurement, in the order of the rounds. */
  all(what: string): readonly number[] {
    return this.#values.get(what) ?? [];
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  of(what: string): number {
    return median(this.all(what));
  }

  most(what: string): number {
    return Math.max(...this.all(what));
  }

  /** Median ratio of one measurement to another. */
  ratio(what: string, against: string): number {
    const other = this.all(against);
    return median(this.all(what).map((value, round) => value / (other[round] ?? Number.NaN)));
  }
}
