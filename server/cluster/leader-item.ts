/** Checks what the leader publishes through Redis: others may write there, and one bad number would spoil a book or a price. */
import * as z from "zod/mini";
import { SIGN_IN_RESTRICTIONS } from "#contract/restriction.ts";

const Whole = z.int().check(z.nonnegative());
const Positive = z.int().check(z.positive());
const Code = z.string().check(z.minLength(1), z.maxLength(12));

/** Of what was taken before a part may have been refilled. */
const takenOf = (lots: z.ZodMiniType) =>
  z.object({
    code: Code,
    side: z.enum(["bids", "asks"]),
    at: z.number().check(z.nonnegative()),
    levels: z.array(z.tuple([Positive, lots])),
  });
const Joined = z.array(z.tuple([z.nullable(Positive), Positive]));
const JoinedByCode = z.array(z.tuple([Code, z.nullable(z.object({ bids: Joined, asks: Joined }))]));

const VALUES: Record<string, z.ZodMiniType> = {
  fact: z.tuple([Positive, z.looseObject({ n: Positive, at: Whole, type: z.string() })]),
  ended: z.tuple([z.string().check(z.regex(/^[0-9a-f]{64}$/)), z.enum(["ACC_SESSION_EXPIRED", ...Object.values(SIGN_IN_RESTRICTIONS)])]),
  taken: takenOf(Positive),
  reported: z.object({
    trades: z.array(
      z.object({ code: Code, at: Whole, price: Positive, lots: Whole, side: z.union([z.literal(1), z.literal(0), z.literal(-1)]) }),
    ),
    fills: z.array(z.object({ code: Code, at: Whole, lots: z.int() })),
    stored: z.optional(z.object({ tradeId: Whole, fillId: Whole })),
  }),
  joined: JoinedByCode,
  books: z.object({ taken: z.array(takenOf(z.number().check(z.positive()))), joined: JoinedByCode }),
};

/** Tells whether a value is an item that a leader may publish. */
export function isLeaderItem(item: unknown): boolean {
  if (typeof item !== "object" || item === null) return false;
  const [[kind, value] = ["", null], ...more] = Object.entries(item);
  return more.length === 0 && Object.hasOwn(VALUES, kind) && VALUES[kind]?.safeParse(value).success === true;
}
