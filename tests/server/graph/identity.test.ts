/** Tests the identity lifecycle on a real broker: every state and transition of its machine, driven by members and the operator's decisions. */
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { IDENTITY_FACTS } from "#contract/identity.ts";
import type { IdentityStatus } from "#contract/identity.ts";
import { advance } from "#machines/advance.ts";
import { identityMachine } from "#machines/identity.ts";
import { query } from "#server/db/database.ts";
import { runCommand } from "#server/ops/run-command.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(IDENTITY_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(identityMachine, events);
const NAME = "王小明";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

const newcomer = () => broker.newMember({ identity: "unverified", depositCents: 0 });
const idNumberOf = (member: number): string => `ID${member}`;

async function upload(member: number, grey: number): Promise<string> {
  const image = sharp({ create: { width: 640, height: 400, channels: 3, background: { r: grey, g: grey, b: grey } } });
  return (await broker.call("uploadPhoto", member, { content: (await image.jpeg().toBuffer()).toString("base64") })).id;
}
async function submit(member: number, idNumber = idNumberOf(member)): Promise<void> {
  await broker.call("submitIdentity", member, { name: NAME, idNumber, front: await upload(member, 50), back: await upload(member, 150) });
}
const statusOf = async (member: number): Promise<IdentityStatus> => (await broker.call("readIdentity", member, {})).status;
const becomes = (member: number, status: string): Promise<void> =>
  vi.waitFor(async () => expect(await statusOf(member)).toBe(status), { timeout: 30_000, interval: 20 });

/** Decides the member's open submission by the operator's command. */
async function decide(member: number, verdict: "approve" | "reject"): Promise<void> {
  const [row] = await query<{ id: string }>(
    broker.db.kysely,
    "SELECT id::text FROM identity_submission WHERE member_id = $1 AND decided_at IS NULL",
    [member],
  );
  expect(await runCommand(broker.db, ["review", "decide", "identity", row?.id ?? "", verdict], () => undefined)).toBe(0);
}

/** Another member proves that the member's ID number is theirs. */
async function proveByAnother(member: number): Promise<void> {
  const other = await newcomer();
  await query(broker.db.kysely, "UPDATE member SET id_number = $2 WHERE id = $1", [member, idNumberOf(member)]);
  await submit(other, idNumberOf(member));
  await decide(other, "approve");
  await becomes(other, "verified");
}

/** Puts papers on file that the member handed in at the counter. */
async function handIn(member: number): Promise<void> {
  await query(
    broker.db.kysely,
    "INSERT INTO identity_submission (member_id, name, id_number, front, back, submitted_at) VALUES ($1, $2, $3, 'none', 'none', $4)",
    [member, NAME, idNumberOf(member), broker.clock.now],
  );
}

const drivers: Record<string, (member: number) => Promise<void>> = {
  "unverified identity.submitted": (member) => submit(member),
  // The earlier number may belong to another by now.
  "rejected identity.submitted": (member) => submit(member, `${idNumberOf(member)}-2`),
  "unverified identity.approved": async (member) => {
    await handIn(member);
    await decide(member, "approve");
  },
  "unverified identity.rejected": proveByAnother,
  "underReview identity.approved": (member) => decide(member, "approve"),
  "underReview identity.rejected": (member) => decide(member, "reject"),
};

const driven = new Set<string>();

describe("every transition of an identity", () => {
  it.each(paths)("$name", async ({ edges }) => {
    const member = await newcomer();
    for (const { from, event, to } of edges) {
      await drivers[`${from} ${event}`]?.(member);
      await becomes(member, to);
      expect(advance(identityMachine, from, event)).toBe(to);
      driven.add(nameOf({ from, event, to }));
    }
    const told = (await broker.call("listMessages", member, { cursor: null })).items.filter(({ kind }) => kind === "identity");
    expect(told).toHaveLength(edges.filter(({ event }) => event !== "identity.submitted").length);
  });
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(identityMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  expect(states).toEqual(["rejected", "underReview", "unverified", "verified"]);
});
