/** The parts of the project that can be mutated, with the tests that are meant to notice. */

export interface Area {
  /** The folder of the source files. */
  folder: string;
  /** Globs of the test files. */
  tests: readonly string[];
}

/** Server tests that trade. Those that start servers as processes of their own are left out: such a server runs the unchanged source. */
const TRADING_TESTS = "tests/server/{ledger,money,trading,triggers}/**/*.test.ts";

export const AREAS: Readonly<Record<string, Area>> = {
  contract: { folder: "contract/", tests: ["tests/{contract,machines,workers}/**/*.test.ts", TRADING_TESTS] },
  trading: { folder: "server/trading/", tests: [TRADING_TESTS] },
  ledger: { folder: "server/ledger/", tests: [TRADING_TESTS] },
  workers: { folder: "workers/", tests: ["tests/workers/**/*.test.ts"] },
};
