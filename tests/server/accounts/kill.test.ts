/**
 * Tests that the server can be killed at any moment of a conversion, transfer, block purchase, check-in or redeeming of a voucher: what was acknowledged was exchanged once, what was not is
 * either wholly there or not at all, and every currency balances.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Conversion } from "#contract/conversion.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { openDatabase, query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { createFundedMember } from "#tests/support/funded-member.ts";
import { spawnServer } from "#tests/support/process.ts";
import type { ServerProcess } from "#tests/support/process.ts";
import { sized } from "#tests/support/size.ts";

const KILLS = sized(3, 12);
/** Acknowledged conversions between two kills. */
const ENOUGH = 5;
/** Acknowledged block purchases between two kills. */
const ENOUGH_BLOCKS = 2;

const dataDir = mkdtempSync(join(tmpdir(), "kuroshio-convert-kill-"));
const at = { dataDir, databaseUrl: null, databaseSchema: null };
const config = { ...at, commandsPerSecond: 100_000, venue: { seed: 1, rate: 50, hours: "always" as const } };

let headers = { token: "", account: "" };
const acknowledged = new Map<string, Conversion>();
const moved: number[] = [];
const unanswered: string[] = [];
const redeemed: string[] = [];
const checkIns: number[] = [];
const blocks: string[] = [];

/** Converts there and back, and transfers, until the server no longer answers. */
async function work(server: ServerProcess): Promise<void> {
  const checkedIn = await server.call("checkIn", { requestId: RequestId.parse(randomUUID()) }, headers);
  if (checkedIn?.status === 1) checkIns.push(checkedIn.data.today);
  for (let turn = 0; ; turn += 1) {
    const [from, to] = turn % 2 === 0 ? (["TWD", "USD"] as const) : (["USD", "TWD"] as const);
    const quote = await server.call("quoteConversion", { from, to, side: "sell", amount: turn % 2 === 0 ? 100_000 : 1_000 }, headers);
    if (quote === null) return;
    if (quote.status !== 1) {
      // A new market may have no price yet.
      await wait(20);
      continue;
    }
    const requestId = RequestId.parse(randomUUID());
    const accepted = await server.call("acceptConversion", { requestId, quoteId: quote.data.quoteId }, headers);
    if (accepted === null) unanswered.push(requestId);
    if (accepted === null) return;
    if (accepted.status === 1) acknowledged.set(requestId, accepted.data);
    const amount = turn + 1;
    const body = {
      requestId: RequestId.parse(randomUUID()),
      currency: "TWD" as const,
      from: "securities" as const,
      to: "futures" as const,
      amount,
    };
    const transferred = await server.call("transferFunds", body, headers);
    if (transferred === null) return;
    if (transferred.status === 1) moved.push(amount);
    const voucher = await server.call("redeemVoucher", { requestId: RequestId.parse(randomUUID()) }, headers);
    if (voucher === null) return;
    const market = await server.call("readBlockMarket", {}, headers);
    if (market === null) return;
    const offers = market.status === 1 ? market.data.market.offers : [];
    const offer = offers[turn % Math.max(1, offers.length)];
    if (offer) {
      const bought = await server.call(
        "buyBlock",
        { requestId: RequestId.parse(randomUUID()), offerId: offer.offerId, shares: 10_000 },
        headers,
      );
      if (bought === null) return;
      if (bought.status === 1) blocks.push(bought.data.blockNo);
    }
    if (voucher.status === 1) redeemed.push(voucher.data.voucher.voucherNo);
  }
}

/** Gives the member check-ins enough for every voucher of the test, one each. */
async function collectCheckIns(): Promise<void> {
  const db = await openDatabase({ dataDir });
  try {
    await query(db.kysely, `UPDATE rule SET body = body || '{"checkInsPerVoucher": 1}' WHERE part = 'reward'`);
    // Every purchase is reviewed for a second, so that kills fall between its steps.
    const rule = { dailyShares: 100_000_000, reviewCents: 0, pairSeconds: 0, reviewSeconds: 1 };
    await query(db.kysely, "UPDATE rule SET body = body || $1::jsonb WHERE part = 'block'", [JSON.stringify(rule)]);
    await query(
      db.kysely,
      "INSERT INTO check_in (member_id, day, at, streak) SELECT id, day, 0, day FROM member, generate_series(1, 5000) AS day WHERE account = 'KS900001'",
    );
  } finally {
    await db.close();
  }
}

beforeAll(async () => {
  const credentials = await createFundedMember(at);
  await collectCheckIns();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await spawnServer(config);
    if (kill === 0) {
      const reply = await server.call("signIn", credentials);
      if (reply?.status !== 1) throw new Error("the member could not sign in");
      headers = reply.data;
    }
    const enough = acknowledged.size + ENOUGH;
    // The market refuses some purchases (its price moved, an offer is sold out): wait for some that it took.
    const enoughBlocks = blocks.length + ENOUGH_BLOCKS;
    const working = work(server);
    while (acknowledged.size < enough || blocks.length < enoughBlocks) await wait(1);
    await wait(kill * 3);
    await server.kill();
    await working;
  }
}, 300_000);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe(`after ${KILLS} kills`, () => {
  it("every conversion that was acknowledged can be queried, and gets the same answer again", async () => {
    const server = await spawnServer(config);
    try {
      for (const [requestId, conversion] of acknowledged) {
        const outcome = await server.call("askOutcome", { requestId: RequestId.parse(requestId) }, headers);
        expect(outcome).toMatchObject({ status: 1, data: { known: true, answer: conversion } });
      }
    } finally {
      await server.stop();
    }
  });

  it("every voucher that was acknowledged is there, and each took its check-ins once", async () => {
    const db = await openDatabase({ dataDir });
    try {
      const [kept] = await query<{ vouchers: string[]; spent: number; days: number[] }>(
        db.kysely,
        `SELECT (SELECT json_agg(voucher_no) FROM voucher) AS vouchers, (SELECT sum(check_ins_spent)::integer FROM trader) AS spent,
          (SELECT json_agg(day) FROM check_in WHERE day > 5000) AS days`,
      );
      expect(redeemed.length).toBeGreaterThan(KILLS);
      for (const voucherNo of redeemed) expect(kept?.vouchers).toContain(voucherNo);
      expect(kept?.spent).toBe(kept?.vouchers.length);
      expect(checkIns.length).toBeGreaterThan(0);
      for (const day of checkIns) expect(kept?.days).toContain(day);
    } finally {
      await db.close();
    }
  });

  it("every block purchase that was acknowledged ends, as one position or with its money back", async () => {
    const server = await spawnServer(config);
    try {
      for (;;) {
        const reply = await server.call("listBlocks", { cursor: null }, headers);
        if (reply?.status === 1 && reply.data.items.every(({ status }) => status !== "pending" && status !== "review")) break;
        await wait(50);
      }
    } finally {
      await server.stop();
    }
    const db = await openDatabase({ dataDir });
    try {
      const rows = await query<{ block_no: string; status: string; positions: number }>(
        db.kysely,
        `SELECT block_no, status, (SELECT count(*)::integer FROM "order" WHERE origin = 'block' AND request_id = block_order.request_id) AS positions
         FROM block_order`,
      );
      const known = new Map(rows.map((row) => [row.block_no, row]));
      expect(blocks.length).toBeGreaterThan(KILLS);
      for (const blockNo of blocks) expect(["holding", "cancelled"]).toContain(known.get(blockNo)?.status);
      for (const { status, positions } of rows) expect(positions).toBe(status === "holding" ? 1 : 0);
    } finally {
      await db.close();
    }
  });

  it("each was exchanged once, with its two amounts in the ledger, and every currency balances", async () => {
    const db = await openDatabase({ dataDir });
    try {
      const kept = await query<{ id: string }>(db.kysely, "SELECT id FROM conversion");
      const ids = new Set(kept.map(({ id }) => id));
      for (const { conversionId } of acknowledged.values()) expect(ids).toContain(conversionId);
      expect(kept.length - acknowledged.size).toBeLessThanOrEqual(unanswered.length);
      const [sums] = await query<{ sold: number; bought: number; flows: number }>(
        db.kysely,
        `SELECT (SELECT sum(from_cents)::bigint FROM conversion WHERE from_currency = 'TWD') AS sold,
           (SELECT -sum(amount)::bigint FROM entry JOIN pocket ON pocket.id = pocket_id JOIN ledger_tx ON ledger_tx.id = tx_id
            WHERE ledger_tx.kind = 'conversion' AND pocket.kind = 'available' AND currency = 'TWD' AND amount < 0) AS bought,
           (SELECT count(*)::integer FROM ledger_tx WHERE kind = 'conversion') AS flows`,
      );
      expect(sums?.flows).toBe(kept.length);
      expect(sums?.bought).toBe(sums?.sold);
      const [futures] = await query<{ balance: number }>(
        db.kysely,
        "SELECT balance FROM pocket JOIN member ON member.id = member_id WHERE account = 'KS900001' AND kind = 'futures' AND currency = 'TWD'",
      );
      expect(futures?.balance).toBeGreaterThanOrEqual(moved.reduce((sum, amount) => sum + amount, 0));
      expect((await auditBooks(db.kysely)).differences).toEqual([]);
    } finally {
      await db.close();
    }
  });
});
