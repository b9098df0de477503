/** Tests what a follower believes of what comes through Redis, where others may write too. */
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LeaderStream } from "#server/cluster/leader-stream.ts";
import { sealMessage } from "#server/cluster/message.ts";
import type { LeaderItem, LeaderMessage } from "#server/cluster/message.ts";

const KEY = "the key of the leader";
let applied: LeaderItem[];
let asks: number;
let failures: string[];
let newest: number;
let stream: LeaderStream;
let key: string;
let sent: number;
/** Whether each catch-up was of a new leader. */
let caughtUp: boolean[];

beforeEach(() => {
  key = KEY;
  sent = 0;
  caughtUp = [];
  applied = [];
  failures = [];
  newest = 3;
  asks = 0;
  stream = new LeaderStream({
    leader: () => ({ epoch: newest, key }),
    apply: (item) => void applied.push(item),
    catchUp: async (isNewLeader) => void caughtUp.push(isNewLeader),
    resumed: () => undefined,
    askBooks: () => void (asks += 1),
    report: (error) => failures.push(String(error)),
  });
});
afterEach(() => stream.stop());

const ended = (hash: string): LeaderItem => ({ ended: [hash.padStart(64, "0"), "ACC_SESSION_EXPIRED"] });
const sealed = (message: object, by = key): string => sealMessage({ sent: (sent += 1), ...message } as LeaderMessage, by);
const receive = (epoch: number, n: number, items: unknown[]): void => stream.receive(sealed({ epoch, n, items }));
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
};

test("what is no message of a leader is reported, and ends nothing", async () => {
  const given = [{}, [], { epoch: 3, n: 1 }, { epoch: "3", n: 1, items: [] }, { epoch: 1e300, n: 1, items: [] }];
  for (const one of given) stream.receive(sealed(one));
  receive(3, 1, [ended("a")]);
  await stream.stop();
  expect(failures).toHaveLength(given.length);
});

test("what the leader did not seal is not believed, and does not hide what it did", async () => {
  receive(3, 1, [ended("a")]);
  const body = JSON.stringify({ epoch: 3, n: 2, sent: 2, items: [ended("x")] });
  const mine = sealed({ epoch: 3, n: 2, items: [ended("b")] });
  for (const text of ["", "{", body, mine.slice(0, 43), mine.slice(0, 43) + body, sealed(JSON.parse(body), "another key")])
    stream.receive(text);
  stream.receive(mine);
  await turns();
  expect(applied).toEqual(["a", "b"].map(ended));
  expect([stream.refused, stream.gaps, failures]).toEqual([6, 1, []]);
});

test("without a key nothing is believed", async () => {
  const keyless = new LeaderStream({
    leader: () => ({ epoch: 3, key: null }),
    apply: (item) => void applied.push(item),
    catchUp: async () => undefined,
    resumed: () => undefined,
    askBooks: () => undefined,
    report: (error) => failures.push(String(error)),
  });
  for (const text of [sealed({ epoch: 3, n: 1, items: [ended("a")] }, ""), JSON.stringify({ epoch: 3, n: 1, items: [ended("a")] })])
    keyless.receive(text);
  await turns();
  expect([applied, keyless.refused]).toEqual([[], 2]);
});

test("a leader that was replaced is not believed, even before the next one speaks", async () => {
  receive(3, 1, [ended("a")]);
  newest = 4;
  receive(3, 2, [ended("b")]);
  await turns();
  expect(applied).toEqual([ended("a")]);
});

test("what comes a second time, or after what came later, is left out and opens no gap", async () => {
  const [a, beat, b] = [
    { n: 1, items: [ended("a")] },
    { n: 1, items: [] },
    { n: 2, items: [ended("b")] },
  ].map((one) => sealed({ epoch: 3, ...one }));
  for (const text of [a, b, b, a, beat]) stream.receive(text ?? "");
  receive(3, 3, [ended("c")]);
  await turns();
  expect(applied).toEqual(["a", "b", "c"].map(ended));
  expect([stream.gaps, stream.refused]).toEqual([1, 3]);
});

test("a heartbeat that is sent again does not hide the leader's silence", async () => {
  receive(3, 1, [ended("a")]);
  const beat = sealed({ epoch: 3, n: 1, items: [] });
  stream.receive(beat);
  const { silentMs } = stream;
  await wait(20);
  stream.receive(beat);
  expect(stream.silentMs).toBeGreaterThan(silentMs + 10);
  expect(stream.refused).toBe(1);
});

test("a leader is new with its key, also in an epoch that there was before: the database came back without the last ones", async () => {
  const first = sealed({ epoch: 3, n: 1, items: [ended("a")] });
  stream.receive(first);
  for (let n = 2; n <= 5; n += 1) receive(3, n, []);
  await turns();
  caughtUp = [];
  for (const [epoch, name] of [
    [3, "b"],
    [2, "c"],
  ] as const) {
    [newest, key, sent] = [epoch, `the key of ${name}`, 0];
    receive(epoch, 1, [ended(name)]);
    stream.receive(first);
    await turns();
    expect(applied.at(-1)).toEqual(ended(name));
  }
  expect(caughtUp).toEqual([true, true]);
  expect([applied.length, stream.refused, stream.epoch]).toEqual([3, 2, 2]);
});

test("the books are asked for until they come", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    stream.start();
    receive(3, 1, [ended("a")]);
    await turns();
    expect(asks).toBe(1);
    receive(3, 1, []);
    await turns();
    vi.advanceTimersByTime(1_000);
    expect(asks).toBe(3);
    receive(3, 2, [{ books: { taken: [], joined: [] } }]);
    await turns();
    vi.advanceTimersByTime(1_000);
    expect(asks).toBe(3);
  } finally {
    await stream.stop();
    vi.useRealTimers();
  }
});

test("an epoch that the database does not know is not believed, and the leader still is", async () => {
  receive(3, 1, [ended("a")]);
  receive(Number.MAX_SAFE_INTEGER, 1, [ended("d")]);
  receive(3, 2, [ended("b")]);
  newest = 4;
  receive(4, 1, [ended("c")]);
  receive(3, 3, [ended("e")]);
  await turns();
  expect(applied).toEqual(["a", "b", "c"].map(ended));
  expect(stream.epoch).toBe(4);
});

test("while the database does not answer few messages wait, and what was left out is read from it", async () => {
  let [reads, resumes] = [0, 0];
  let answer: (() => void) | undefined;
  const slow = new LeaderStream({
    leader: () => ({ epoch: newest, key: KEY }),
    apply: (item) => void applied.push(item),
    async catchUp() {
      reads += 1;
      if (reads === 1) await new Promise<void>((done) => (answer = done));
    },
    resumed: () => void (resumes += 1),
    askBooks: () => undefined,
    report: (error) => failures.push(String(error)),
  });
  for (let n = 1; n <= 5_000; n += 1) slow.receive(sealed({ epoch: 3, n, items: [ended(String(n))] }));
  await new Promise(setImmediate);
  expect(slow.waiting).toBe(1_000);
  answer?.();
  await new Promise(setImmediate);
  expect([slow.waiting, reads, resumes]).toEqual([0, 1, 1]);
  // A heartbeat with the number of the last one.
  slow.receive(sealed({ epoch: 3, n: 5_000, items: [] }));
  await new Promise(setImmediate);
  expect([slow.gaps, reads, resumes]).toEqual([2, 2, 2]);
  await slow.stop();
});

const taken = (values: object): object => ({ taken: { code: "2330", side: "asks", at: 1, levels: [[600, 1]], ...values } });
const trade = { code: "2330", at: 1, price: 600, lots: 1, side: 1 };
const reported = (values: object): object => ({ reported: { trades: [{ ...trade, ...values }], fills: [] } });

test("what no leader tells is left out, and the rest of its message is not", async () => {
  const bad = [
    null,
    7,
    {},
    { unknown: 1 },
    ...[-1, 0, 0.5, null, "1"].map((lots) => taken({ levels: [[600, lots]] })),
    ...[-600, 0.5, null].map((price) => taken({ levels: [[price, 1]] })),
    taken({ side: "buy" }),
    taken({ at: null }),
    ...[-1, 0.5, null].map((lots) => reported({ lots })),
    ...[-600, 0, null].map((price) => reported({ price })),
    reported({ side: 2 }),
    { reported: { trades: [], fills: [{ code: "2330", at: 1, lots: 0.5 }] } },
    { reported: { trades: [], fills: [], stored: { tradeId: -1, fillId: 0 } } },
    { joined: [["2330", { bids: [[600, -1]], asks: [] }]] },
    { books: { taken: [{ code: "2330", side: "asks", at: 1, levels: [[600, -0.5]] }], joined: [] } },
    { books: null },
    { ended: ["a", "ACC_SESSION_EXPIRED"] },
    { ended: ["a".repeat(64), "because"] },
    ...[null, {}, { n: 0, at: 1, type: "a" }, { n: "1", at: 1, type: "a" }, { n: 1, at: 1 }].map((fact) => ({ fact: [1, fact] })),
    { fact: [-1, { n: 1, at: 1, type: "a" }] },
    { ...taken({}), ...ended("a") },
  ];
  const good = [
    taken({}),
    reported({}),
    reported({ side: 0, lots: 0 }),
    { reported: { trades: [], fills: [{ code: "2330", at: 1, lots: -3 }], stored: { tradeId: 1, fillId: 2 } } },
    {
      joined: [
        ["2330", { bids: [[null, 5]], asks: [[600, 1]] }],
        ["2317", null],
      ],
    },
    { books: { taken: [{ code: "2330", side: "asks", at: 1.5, levels: [[600, 0.7]] }], joined: [] } },
    { fact: [1, { n: 1, at: 1, type: "a", more: [] }] },
    ended("a"),
  ];
  receive(3, 1, [...bad, ...good]);
  bad.forEach((one, nth) => receive(3, nth + 2, [one]));
  receive(3, bad.length + 2, good);
  await new Promise(setImmediate);
  expect(applied).toEqual([...good, ...good]);
  expect(failures).toHaveLength(bad.length + 1);
  expect(stream.gaps).toBe(1);
});
