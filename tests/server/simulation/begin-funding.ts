/** Gives the members of a simulation what they need for money in and out: bank accounts, addresses, a fund password, and new proofs; and signs for them. */
import { hash } from "@node-rs/argon2";
import { RequestId } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { signByHand } from "#tests/support/signature.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { FUND_PASSWORD } from "./money-steps.ts";
import type { World } from "./world.ts";

const FRESH_PROOFS = 3;

/** Every member has some new proofs to name; beyond the store's limit of a day there are none. */
export async function addProofs({ photos }: TestBroker, { traders, funding, random }: World): Promise<void> {
  for (const { id } of traders) {
    const fresh = funding.fresh.get(id) ?? [];
    funding.fresh.set(id, fresh);
    while (fresh.length < FRESH_PROOFS) {
      const content = Buffer.from(random.uuid());
      const proofId = await photos.put(id, { content, width: 600, height: 800 }).catch(() => null);
      if (proofId === null) break;
      fresh.push(proofId);
    }
  }
}

/** A fund password that costs little to check. */
const FUND_HASH = await hash(FUND_PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });
const CARD = `INSERT INTO bank_card (member_id, bank_code, branch, branch_code, number, added_at) VALUES ($1, '004', '台北', '0037', $2, 0) RETURNING id`;

/**
 * Gives every member a bank account, a fund password and a wallet address, which are no longer new. Positions keep no withdrawal back, and
 * each check-in is a voucher.
 */
export async function openFunding(db: Database, broker: TestBroker, { traders, funding, random }: World): Promise<void> {
  const { kysely } = db;
  await query(kysely, "UPDATE member SET fund_password_hash = $1", [FUND_HASH]);
  for (const { id } of traders) {
    const [card] = await query<{ id: number }>(kysely, CARD, [id, String(1_000_000_000 + id)]);
    funding.cards.set(id, `B${card?.id}`);
    const address = `0x${random.uuid().replaceAll("-", "")}${random.uuid().slice(0, 8)}`;
    const body = { requestId: RequestId.parse(random.uuid()), network: "erc20" as const, address, fundPassword: FUND_PASSWORD };
    funding.addresses.set(id, (await broker.call("addAddress", id, body)).addressId);
  }
  await query(kysely, "UPDATE wallet_address SET added_at = 0");
  await query(kysely, `UPDATE rule SET body = body || '{"holdingsBlock": []}' WHERE part = 'funding' AND member_id IS NULL`);
  await query(kysely, `UPDATE rule SET body = body || '{"checkInsPerVoucher": 1}' WHERE part = 'reward' AND member_id IS NULL`);
  await broker.sequencer.rules.reload(kysely);
}

/** All but one may borrow, trade coins, lend and follow; everybody takes part in offerings. */
export async function signAll(broker: TestBroker, { traders, primary, services }: World): Promise<void> {
  for (const { id } of traders.slice(1)) await signByHand(broker, id, "loan");
  const kinds = ["crypto", "lending", ...(services ? (["copy", "futures", "options"] as const) : [])] as const;
  for (const kind of kinds) for (const { id } of traders.slice(0, -1)) await signByHand(broker, id, kind);
  if (primary) for (const { id } of traders) await signByHand(broker, id, "subscription");
}
