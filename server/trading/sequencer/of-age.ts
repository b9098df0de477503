/** Whether a member of a batch is below the age of majority. */
import { isMinor } from "#contract/birth-date.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import type { Batch } from "./batch.ts";

export function isMinorIn(batch: Batch, memberId: number): boolean {
  return isMinor(batch.member(memberId).birth_date, taipeiDay(batch.at), batch.rules.of(memberId).account.adultYears);
}
