/** Tests that uploads, which keep large bodies in memory, run one at a time for a member and a few at a time for all. */
import { expect, it, vi } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { Account } from "#contract/kernel/id.ts";
import { CallRates } from "#server/api/http/read-rate.ts";
import { LIMITS } from "#server/kernel/limits.ts";

it("uploads of a member run one at a time, and no body is read before its turn", async () => {
  const rates = new CallRates(LIMITS);
  const callerOf = (memberId: number) => ({ memberId, account: Account.parse(`T${memberId}`), sessionHash: "", shared: false });
  const begun: number[] = [];
  const end = Promise.withResolvers<null>();
  const upload = (memberId: number) =>
    rates.work(endpoints.uploadPhoto, callerOf(memberId), () => {
      begun.push(memberId);
      return end.promise;
    });
  const mine = [upload(1), upload(1), upload(1)];
  await expect(upload(1)).rejects.toMatchObject({ code: "GEN_TOO_FREQUENT" });
  const others = Array.from({ length: LIMITS.uploadsAtOnce }, (_, nth) => upload(2 + nth));
  await vi.waitFor(() => expect(begun).toHaveLength(LIMITS.uploadsAtOnce));
  expect(begun.filter((memberId) => memberId === 1)).toHaveLength(1);
  end.resolve(null);
  await Promise.all([...mine, ...others]);
  expect(begun).toHaveLength(mine.length + others.length);
});
