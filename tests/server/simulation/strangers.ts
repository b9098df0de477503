/**
 * Checks that nobody reads or moves what is another's: every endpoint that takes the number of something that has an owner answers another
 * member, who may do as much, as if there were no such thing.
 */
import { randomUUID } from "node:crypto";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { query } from "#server/db/database.ts";
import { fieldsOf, fitting, names } from "#tests/server/contract/bodies.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { FUND_PASSWORD } from "./money-steps.ts";

interface Owned {
  id: string;
  memberId: number;
}

/** What members own, by the field that names it: every number with its owner. */
const OWNED: Record<string, string> = {
  orderNo: `SELECT order_no AS id, member_id FROM "order"`,
  orderNos: `SELECT order_no AS id, member_id FROM "order"`,
  flowNo: "SELECT 'F' || lpad(id::text, 12, '0') AS id, member_id FROM ledger_tx WHERE member_id IS NOT NULL",
  depositNo: "SELECT deposit_no AS id, member_id FROM deposit",
  withdrawalNo: "SELECT withdrawal_no AS id, member_id FROM withdrawal",
  cardId: "SELECT 'B' || id AS id, member_id FROM bank_card",
  addressId: "SELECT 'A' || id AS id, member_id FROM wallet_address",
  loanNo: "SELECT loan_no AS id, member_id FROM loan",
  blockNo: "SELECT block_no AS id, member_id FROM block_order",
  subscriptionNo: "SELECT subscription_no AS id, member_id FROM subscription",
  bidNo: "SELECT bid_no AS id, member_id FROM bid",
  stakeNo: "SELECT stake_no AS id, member_id FROM stake",
  planNo: "SELECT plan_no AS id, member_id FROM savings_plan",
  lendingNo: "SELECT lending_no AS id, member_id FROM lending",
  copyNo: "SELECT copy_no AS id, member_id FROM copy",
  runNo: "SELECT run_no AS id, member_id FROM strategy_run",
  positionNo: "SELECT position_no AS id, member_id FROM option_position",
};

/** Numbers without an owner, and those that only name something within another's reach: tested where they are used. */
const OTHERS = new Set([
  "otherNo",
  "requestId",
  "channelId",
  "offerId",
  "offeringNo",
  "demandId",
  "mentorNo",
  "quoteId",
  "proofId",
  "auctionId",
]);

/** As many numbers of one owner, spread over all there are. */
const EACH = 4;
const spread = <Item>(all: readonly Item[]): Item[] =>
  all.filter((_, nth) => nth % Math.max(1, Math.ceil(all.length / EACH)) === 0 || nth === all.length - 1);

/** The endpoints of members that take the number of something. */
function taking(): { name: EndpointName; field: string }[] {
  return names.flatMap((name) => {
    if (endpoints[name].access !== "member") return [];
    const fields = fieldsOf(name).filter((field) => /(?:No|Nos|Id)$/.test(field) && !OTHERS.has(field));
    return fields.map((field) => ({ name, field }));
  });
}

/** A number of the same form that nothing has. */
const unknownLike = (id: string): string => (/^[A-Z]\d{1,11}$/.test(id) ? `${id[0]}99999999` : id.replaceAll(/\d/g, "9"));

async function replyTo(broker: TestBroker, name: EndpointName, memberId: number, field: string, id: string): Promise<string> {
  const own = { ...fitting(name), [field]: field.endsWith("Nos") ? [id] : id };
  const common = { requestId: randomUUID(), fundPassword: FUND_PASSWORD };
  const body = endpoints[name].body.parse({ ...own, ...Object.fromEntries(Object.entries(common).filter(([key]) => key in own)) });
  try {
    return `answered ${JSON.stringify(await broker.call(name, memberId, body))}`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `${error.code} at ${error.field ?? "no field"}`;
  }
}

/** What strangers were told beside what they are told of a number that does not exist, and how many owners were told something else than they. */
interface Asked {
  told: string[];
  known: number;
}

/** Asks for some of one kind as somebody else and as its owner. */
async function ask(broker: TestBroker, members: readonly number[], { name, field }: ReturnType<typeof taking>[number]): Promise<Asked> {
  const rows = await query<{ id: string; member_id: number }>(broker.db.kysely, `${OWNED[field]} ORDER BY 1`);
  const owned = rows.map((row): Owned => ({ id: row.id, memberId: row.member_id })).filter(({ memberId }) => members.includes(memberId));
  const told: string[] = [];
  let known = 0;
  for (const owner of members)
    for (const { id } of spread(owned.filter(({ memberId }) => memberId === owner))) {
      const stranger = members.find((one) => one !== owner) ?? 0;
      const theirs = await replyTo(broker, name, stranger, field, id);
      const none = await replyTo(broker, name, stranger, field, unknownLike(id));
      // The catalogue has a refusal of its own for another's card, which says no more than that its number was given to somebody.
      if (theirs !== none && !theirs.startsWith("CARD_NOT_OWNED")) told.push(`${name} of ${id}: ${theirs}, of none: ${none}`);
      if ((await replyTo(broker, name, owner, field, id)) !== theirs) known += 1;
    }
  return { told, known };
}

/** What others learned of what members own, in sentences; and the endpoints that told no owner anything else than a stranger. */
export async function askAsStrangers(broker: TestBroker, members: readonly number[]): Promise<{ told: string[]; untried: string[] }> {
  const told: string[] = [];
  const untried: string[] = [];
  for (const each of taking()) {
    const asked = await ask(broker, members, each);
    told.push(...asked.told);
    if (asked.known === 0) untried.push(each.name);
  }
  return { told, untried };
}
