/** Tests what a follower believes of what comes through Redis, where others may write too. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { LeaderStream } from "#server/cluster/leader-stream.ts";
import type { Told } from "#server/cluster/message.ts";

let applied: Told[];
let reported: string[];
let newest: number;
let stream: LeaderStream;

beforeEach(() => {
  applied = [];
  reported = [];
  newest = 3;
  stream = new LeaderStream({
    newestEpoch: () => newest,
    apply: (item) => void applied.push(item),
    catchUp: async () => undefined,
    resumed: () => undefined,
    report: (error) => reported.push(String(error)),
  });
});
afterEach(() => stream.stop());

const ended = (hash: string): Told => ({ ended: [hash, "ACC_SESSION_EXPIRED"] });
const receive = (epoch: number, n: number, items: Told[]): void => stream.receive(JSON.stringify({ epoch, n, items }));

test("what is no message of a leader is reported, and ends nothing", async () => {
  const given = ["", "{", "null", "7", "[]", '{"epoch":3,"n":1}', '{"epoch":"3","n":1,"items":[]}', '{"epoch":1e300,"n":1,"items":[]}'];
  for (const text of given) stream.receive(text);
  receive(3, 1, [ended("a")]);
  await stream.stop();
  expect(reported).toHaveLength(given.length);
});

test("an epoch that the database does not know is not believed, and the leader still is", async () => {
  receive(3, 1, [ended("a")]);
  receive(Number.MAX_SAFE_INTEGER, 1, [ended("false")]);
  receive(3, 2, [ended("b")]);
  newest = 4;
  receive(4, 1, [ended("c")]);
  receive(3, 3, [ended("of the leader before")]);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(applied).toEqual(["a", "b", "c"].map(ended));
  expect(stream.epoch).toBe(4);
});

test("while the database does not answer few messages wait, and what was left out is read from it", async () => {
  let [reads, resumes] = [0, 0];
  let answer: (() => void) | undefined;
  const slow = new LeaderStream({
    newestEpoch: () => newest,
    apply: (item) => void applied.push(item),
    async catchUp() {
      reads += 1;
      if (reads === 1) await new Promise<void>((done) => (answer = done));
    },
    resumed: () => void (resumes += 1),
    report: (error) => reported.push(String(error)),
  });
  for (let n = 1; n <= 5_000; n += 1) slow.receive(JSON.stringify({ epoch: 3, n, items: [ended(String(n))] }));
  await new Promise(setImmediate);
  expect(slow.waiting).toBe(1_000);
  answer?.();
  await new Promise(setImmediate);
  expect([slow.waiting, reads, resumes]).toEqual([0, 1, 1]);
  // A heartbeat with the number of the last one.
  slow.receive(JSON.stringify({ epoch: 3, n: 5_000, items: [] }));
  await new Promise(setImmediate);
  expect([slow.gaps, reads, resumes]).toEqual([2, 2, 2]);
  await slow.stop();
});
