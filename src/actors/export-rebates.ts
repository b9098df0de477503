/** Exports an agent's rebates of one month as a complete CSV file. */
import i18next from "i18next";
import type { RebateLine } from "#contract/agent.ts";
import { call } from "#src/gateway/api.ts";
import { loadTranslations } from "#src/gateway/language.ts";
import { moneyCell, wordCell } from "./csv.ts";
import type { Cell } from "./csv.ts";
import { allPages, saveTable } from "./export.ts";

const COLUMNS = ["month", "account", "name", "commission", "rebate"] as const;

/** Export what each invited member brought in a month. */
export async function exportRebates(month: string): Promise<boolean> {
  await Promise.all([loadTranslations("account"), loadTranslations("rewards")]).catch(() => undefined);
  const lines = await allPages<RebateLine>((cursor) => call("listRebateLines", { month, cursor }, { shownByCaller: true }));
  const rows = lines?.map(({ memberNo, name, commissionCents, rebateCents }): Cell[] => [
    wordCell(month),
    wordCell(memberNo),
    wordCell(name),
    moneyCell(commissionCents),
    moneyCell(rebateCents),
  ]);
  const heading = COLUMNS.map((column) => i18next.t(`agency.column.${column}`));
  return saveTable(`rebates-${month}`, heading, rows ?? null);
}
