/** Wallet addresses in a batch: registered with the fund password by one member at a time, and removed. */
import type { WalletAddress } from "#contract/wallet-address.ts";
import type { Body } from "#contract/endpoints.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { noteChange } from "./security-notice.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toAddress } from "#server/records/deposit.ts";
import type { AddressRecord } from "#server/records/deposit.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows, TakenKeys } from "#server/trading/sequencer/shared-rows.ts";
import { checkedAddress } from "./address-checksum.ts";

/** What a decision on addresses reads under the member's lock. */
interface AddressesInBatch {
  /** The member's addresses, shared by the batch. */
  shared: { rows: AddressRecord[] };
  nextId: number;
  /** Somebody registered it, or another member has paid in from it. */
  isTaken: boolean;
}

const LIST = "SELECT * FROM wallet_address WHERE member_id = $1 AND removed_at IS NULL ORDER BY id DESC";
const FACTS = `SELECT nextval('wallet_address_no') AS next_id,
  EXISTS (SELECT FROM wallet_address WHERE address = $2 AND removed_at IS NULL)
    OR EXISTS (SELECT FROM deposit WHERE sender = $2 AND member_id <> $1 AND status NOT IN ('rejected', 'expired')) AS taken`;

/** A member's addresses, newest first. */
export function readAddresses(on: Reader, memberId: number): Promise<AddressRecord[]> {
  return query<AddressRecord>(on, LIST, [memberId]);
}

const addressesInBatch = new SharedRows<AddressesInBatch["shared"]>(async (tx, _batch, memberId) => ({
  rows: await readAddresses(tx, memberId),
}));

/** A member's addresses as all commands of a batch see them; the member is locked. */
export const readSharedAddresses = (tx: Tx, batch: Batch, memberId: number): Promise<AddressesInBatch["shared"]> =>
  addressesInBatch.read(tx, batch, memberId);

/** Addresses that commands of a batch have registered, of any member. */
const added = new TakenKeys();

/** Reads what the decisions need; `address` is the one to register. */
export async function prepareAddresses(tx: Tx, batch: Batch, memberId: number, address: string | null): Promise<AddressesInBatch> {
  const [facts] = await query<{ next_id: number; taken: boolean }>(tx, FACTS, [memberId, address ?? ""]);
  if (!facts) throw new Error("no number for a wallet address");
  return { shared: await readSharedAddresses(tx, batch, memberId), nextId: facts.next_id, isTaken: facts.taken };
}

/** The spelling with its checksum. @throws Refusal WAL_INVALID */
export function spelled({ network, address }: Pick<Body<"addAddress">, "network" | "address">): string {
  const checked = checkedAddress(network, address);
  if (checked === null) throw new Refusal("WAL_INVALID", {}, "address");
  return checked;
}

/** @throws Refusal GEN_LIST_FULL, WAL_EXISTS */
export function addAddress(
  batch: Batch,
  memberId: number,
  { network, address }: Pick<Body<"addAddress">, "network" | "address">,
  { shared, nextId, isTaken }: AddressesInBatch,
): WalletAddress {
  const most = batch.rules.of(memberId).funding.maxAddresses;
  if (shared.rows.length >= most) throw new Refusal("GEN_LIST_FULL", { n: most });
  if (isTaken || added.has(batch, address)) throw new Refusal("WAL_EXISTS", {}, "address");
  const row: AddressRecord = { id: nextId, member_id: memberId, network, address, added_at: batch.at, removed_at: null };
  shared.rows = [row, ...shared.rows];
  added.take(batch, address);
  batch.deferWrite(async (tx) => {
    await query(tx, "INSERT INTO wallet_address (id, member_id, network, address, added_at) VALUES ($1, $2, $3, $4, $5)", [
      row.id,
      memberId,
      network,
      address,
      row.added_at,
    ]);
    await noteChange(tx, memberId, row.added_at, "addressAdded", { address: `${address.slice(0, 6)}…${address.slice(-4)}` });
  });
  return toAddress(row);
}

/** The member's own address. @throws Refusal WAL_NOT_FOUND for another member's as for none */
export function ownAddress(rows: readonly AddressRecord[], addressId: string): AddressRecord {
  const row = rows.find(({ id }) => `A${id}` === addressId);
  if (!row) throw new Refusal("WAL_NOT_FOUND", {}, "addressId");
  return row;
}

/** @throws Refusal WAL_NOT_FOUND */
export function removeAddress(batch: Batch, addressId: string, { shared }: Pick<AddressesInBatch, "shared">): { addressId: string } {
  const { id } = ownAddress(shared.rows, addressId);
  shared.rows = shared.rows.filter((one) => one.id !== id);
  batch.deferWrite(async (tx) => {
    await query(tx, "UPDATE wallet_address SET removed_at = $2 WHERE id = $1", [id, batch.at]);
  });
  return { addressId };
}
