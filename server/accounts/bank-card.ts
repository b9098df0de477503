/** Bank cards in a batch: added with the fund password, made the default, removed when nothing is on its way to them. */
import type { Body } from "#contract/endpoints.ts";
import { maskNumber, MAX_CARDS } from "#contract/bank-card.ts";
import type { BankCard } from "#contract/bank-card.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toCard } from "#server/records/withdrawal.ts";
import type { CardRecord, WithdrawalRecord } from "#server/records/withdrawal.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows, TakenKeys } from "#server/trading/sequencer/shared-rows.ts";
import { maskName } from "./mask-name.ts";
import { noteChange } from "./security-notice.ts";
import { openWithdrawals } from "./open-withdrawal.ts";

/** What a decision on cards reads under the member's lock. */
export interface CardsInBatch {
  /** The member's cards, the default one first; shared by the batch. */
  shared: { cards: CardRecord[] };
  /** The withdrawal on its way, shared by the batch. */
  withdrawing: { open: WithdrawalRecord | null };
  holder: string;
  nextId: number;
  /** Whether somebody has this account already. */
  isTaken: boolean;
  /** Whether a card of this id belongs to somebody else. */
  isForeign: boolean;
}

const CARDS = `
SELECT bank_card.*, EXISTS (
  SELECT FROM withdrawal WHERE card_id = bank_card.id AND status IN ('requested', 'underReview', 'processing')
) AS in_use FROM bank_card WHERE member_id = $1 AND removed_at IS NULL ORDER BY is_default DESC, id`;

/** A member's cards, the default one first. */
export function readCards(on: Reader, memberId: number): Promise<CardRecord[]> {
  return query<CardRecord>(on, CARDS, [memberId]);
}

/** The member's name as the holder of their cards, masked. */
export async function readHolder(on: Reader, memberId: number): Promise<string> {
  const [row] = await query<{ name: string }>(on, "SELECT name FROM member WHERE id = $1", [memberId]);
  return maskName(row?.name ?? "");
}

const cardsInBatch = new SharedRows<CardsInBatch["shared"]>(async (tx, _batch, memberId) => ({ cards: await readCards(tx, memberId) }));

/** Accounts that commands of a batch have added, of any member. */
const added = new TakenKeys();

/** Reads what the decisions need; `about` is what the command names. */
export async function prepareCards(
  tx: Tx,
  batch: Batch,
  memberId: number,
  about: { bankCode?: string; cardNumber?: string; cardId?: string },
): Promise<CardsInBatch> {
  const [facts] = await query<{ next_id: number; taken: boolean; is_foreign: boolean }>(
    tx,
    `SELECT nextval('bank_card_no') AS next_id,
       EXISTS (SELECT FROM bank_card WHERE bank_code = $1 AND number = $2 AND removed_at IS NULL) AS taken,
       EXISTS (SELECT FROM bank_card WHERE id = $3 AND member_id <> $4) AS is_foreign`,
    [about.bankCode ?? "", about.cardNumber ?? "", Number(about.cardId?.slice(1) ?? 0), memberId],
  );
  if (!facts) throw new Error("no number for a bank card");
  const { next_id: nextId, taken: isTaken, is_foreign: isForeign } = facts;
  return {
    shared: await cardsInBatch.read(tx, batch, memberId),
    withdrawing: await openWithdrawals.read(tx, batch, memberId),
    holder: await readHolder(tx, memberId),
    nextId,
    isTaken,
    isForeign,
  };
}

/** @throws Refusal CARD_NOT_OWNED for another member's card, CARD_NOT_FOUND for none */
export function ownCard({ shared, isForeign }: Pick<CardsInBatch, "shared" | "isForeign">, cardId: string): CardRecord {
  const card = shared.cards.find(({ id }) => `B${id}` === cardId);
  if (!card) throw new Refusal(isForeign ? "CARD_NOT_OWNED" : "CARD_NOT_FOUND", {}, "cardId");
  return card;
}

/** The first card becomes the default one. @throws Refusal GEN_LIST_FULL, CARD_EXISTS */
export function addCard(batch: Batch, memberId: number, body: Omit<Body<"addCard">, "fundPassword">, read: CardsInBatch): BankCard {
  const { cards } = read.shared;
  const account = `${body.bankCode} ${body.cardNumber}`;
  if (cards.length >= MAX_CARDS) throw new Refusal("GEN_LIST_FULL", { n: MAX_CARDS });
  if (read.isTaken || added.has(batch, account)) throw new Refusal("CARD_EXISTS", {}, "cardNumber");
  const row: CardRecord = {
    id: read.nextId,
    member_id: memberId,
    bank_code: body.bankCode,
    branch: body.branch,
    branch_code: body.branchCode,
    number: body.cardNumber,
    is_default: cards.length === 0,
    added_at: batch.at,
    removed_at: null,
    in_use: false,
  };
  cards.push(row);
  added.take(batch, account);
  const { is_default: isDefault } = row;
  batch.deferWrite(async (tx) => {
    await query(
      tx,
      "INSERT INTO bank_card (id, member_id, bank_code, branch, branch_code, number, is_default, added_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
      [row.id, memberId, row.bank_code, row.branch, row.branch_code, row.number, isDefault, row.added_at],
    );
    await noteChange(tx, memberId, row.added_at, "cardAdded", { number: maskNumber(row.number) });
  });
  return toCard(row, read.holder);
}

/** One card is the default one. */
export function makeDefault(batch: Batch, memberId: number, cardId: string, read: CardsInBatch): BankCard {
  const card = ownCard(read, cardId);
  for (const one of read.shared.cards) one.is_default = one === card;
  batch.deferWrite(async (tx) => {
    await query(tx, "UPDATE bank_card SET is_default = false WHERE member_id = $1 AND is_default", [memberId]);
    await query(tx, "UPDATE bank_card SET is_default = true WHERE id = $1", [card.id]);
  });
  return toCard(card, read.holder);
}

/** The oldest other card becomes the default one. @throws Refusal CARD_IN_USE while a withdrawal is on its way to it */
export function removeCard(batch: Batch, cardId: string, read: CardsInBatch): { cardId: string } {
  const card = ownCard(read, cardId);
  if (read.withdrawing.open?.card_id === card.id) throw new Refusal("CARD_IN_USE", {}, "cardId");
  const { shared } = read;
  shared.cards = shared.cards.filter((one) => one !== card);
  const heir = card.is_default ? shared.cards.toSorted((one, other) => one.id - other.id)[0] : undefined;
  if (heir) heir.is_default = true;
  batch.deferWrite(async (tx) => {
    await query(tx, "UPDATE bank_card SET removed_at = $2, is_default = false WHERE id = $1", [card.id, batch.at]);
    if (heir) await query(tx, "UPDATE bank_card SET is_default = true WHERE id = $1", [heir.id]);
  });
  return { cardId };
}
