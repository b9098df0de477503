/** `npm run audit:offerings` prints what simple strategies earn in offerings, and fails where one earns something significant. */
import process from "node:process";
import { listedTable } from "./listed-strategies.ts";
import { ISSUES, SEEDS, SIGNIFICANT, offeringTable, tradedIssues } from "./offering-strategies.ts";
import { printTable } from "./strategy-table.ts";

const traded = tradedIssues();
const rows = [...offeringTable(traded), ...listedTable(traded)];
console.log(`${SEEDS.length} markets with ${ISSUES} offerings each; tries, net gain of the money put in, t by weeks`);
console.log(printTable(rows));
const gains = rows.filter(({ t }) => t >= SIGNIFICANT);
console.log(
  gains.length === 0 ? `${rows.length} strategies, none earns anything significant` : `${gains.length} earn something significant`,
);
if (gains.length > 0) process.exitCode = 1;
