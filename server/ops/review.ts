/** `ops review`: lists what is under review, and decides it. A running server applies a decision within seconds, the next start otherwise. */
import { epochMs, formatDateTime } from "#contract/kernel/time.ts";
import { decideApplication } from "#server/accounts/application-review.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { always, never, NotDone } from "./command.ts";
import type { Act, Args, Command } from "./command.ts";

/** Only applications can be returned, for the member to complete. */
type Verdict = "approved" | "rejected" | "returned";

/** What waits for a decision. */
interface Waiting {
  /** Its number; an account where a member can have only one. */
  subject: string;
  account: string;
  at: number;
  /** Its state, and amounts. No personal data. */
  about: string;
  verdict: Verdict | null;
}

interface Given {
  at: number;
  /** The operator's words to the member. */
  words: string | null;
}

/** Something that is reviewed. A new kind is a row of `REVIEWS`. */
interface Review {
  kind: string;
  /** Lists what waits, the oldest first, as rows of `Waiting`. */
  waiting: string;
  /** Stores a verdict on what waits. Its review applies it. */
  decide: (tx: Tx, subject: string, verdict: Verdict, given: Given) => Promise<unknown>;
  /** Whether it can be returned, and takes words to the member. */
  isApplication?: boolean;
}

/** Verdicts of most kinds lie in one table, which their reviews read. */
const stored =
  (kind: string): Review["decide"] =>
  (tx, subject, verdict, { at }) =>
    query(tx, "INSERT INTO review_verdict (kind, subject, verdict, at) VALUES ($1, $2, $3, $4)", [kind, subject, verdict, at]);
const verdictOf = (kind: string, subject: string): string =>
  `(SELECT verdict FROM review_verdict WHERE kind = '${kind}' AND subject = ${subject})`;

/** Applications keep the verdict themselves. */
const applications = (kind: "agent" | "seat"): Review => ({
  kind,
  isApplication: true,
  waiting: `SELECT application_no AS subject, account, changed_at AS at, status AS about, substr(verdict, 8) AS verdict
    FROM application AS a JOIN member ON member.id = member_id WHERE kind = '${kind}' AND status IN ('pendingReview', 'waiting') ORDER BY a.id`,
  decide: (tx, subject, verdict, { words }) => decideApplication(tx, { applicationNo: subject, verdict: `review.${verdict}`, note: words }),
});

const REVIEWS: readonly Review[] = [
  {
    kind: "identity",
    waiting: `SELECT s.id::text AS subject, account, submitted_at AS at, 'submitted' AS about, ${verdictOf("identity", "s.id::text")} AS verdict
      FROM identity_submission AS s JOIN member ON member.id = member_id WHERE decided_at IS NULL ORDER BY s.id`,
    decide: stored("identity"),
  },
  {
    kind: "deposit",
    waiting: `SELECT deposit_no AS subject, account, submitted_at AS at, status || ' ' || paid || ' ' || amount AS about,
        ${verdictOf("deposit", "deposit_no")} AS verdict
      FROM deposit AS d JOIN member ON member.id = member_id WHERE status IN ('pending', 'processing') ORDER BY d.id`,
    decide: stored("deposit"),
  },
  {
    kind: "withdrawal",
    waiting: `SELECT withdrawal_no AS subject, account, requested_at AS at, status || ' TWD ' || (amount_cents / 100) AS about,
        ${verdictOf("withdrawal", "withdrawal_no")} AS verdict
      FROM withdrawal AS w JOIN member ON member.id = member_id WHERE status IN ('requested', 'underReview', 'processing') ORDER BY w.id`,
    decide: stored("withdrawal"),
  },
  applications("agent"),
  applications("seat"),
  {
    kind: "block",
    waiting: `SELECT block_no AS subject, account, placed_at AS at, status || ' ' || code || ' ' || shares || ' TWD ' || (value_cents / 100) AS about,
        ${verdictOf("block", "block_no")} AS verdict
      FROM block_order AS b JOIN member ON member.id = member_id WHERE status IN ('pending', 'review') ORDER BY b.id`,
    decide: stored("block"),
  },
  {
    kind: "margin",
    waiting: `SELECT account AS subject, account, margin_applied_at AS at, 'applied' AS about, margin_verdict AS verdict
      FROM trader JOIN member ON id = member_id WHERE margin_status = 'pendingReview' ORDER BY margin_applied_at`,
    decide: (tx, subject, verdict) =>
      query(tx, "UPDATE trader SET margin_verdict = $2 FROM member WHERE id = member_id AND account = $1", [subject, verdict]),
  },
];
const KINDS = REVIEWS.map(({ kind }) => kind).join(", ");

const VERDICTS: ReadonlyMap<string, Verdict> = new Map([
  ["approve", "approved"],
  ["reject", "rejected"],
  ["return", "returned"],
]);
const LONGEST_NOTE = 200;

const waitingFor = (on: Reader, { waiting }: Review): Promise<Waiting[]> => query<Waiting>(on, waiting);

/** @throws NotDone */
function reviewOf(kind: string | undefined): Review {
  const review = REVIEWS.find((one) => one.kind === kind);
  if (!review) throw new NotDone(`Name what is reviewed: ${KINDS}.`);
  return review;
}

/** The operator's words to the applicant. @throws NotDone */
function noteOf({ kind, isApplication }: Review, { options: { words } }: Args): string | null {
  if (words === undefined) return null;
  if (!isApplication) throw new NotDone(`A decision on ${kind} takes no --words.`);
  if (words.length > LONGEST_NOTE) throw new NotDone(`--words has at most ${LONGEST_NOTE} characters.`);
  return words;
}

async function decide(tx: Tx, args: Args, at: number): Promise<Act> {
  const [kind, subject = "", word = ""] = args.words;
  const review = reviewOf(kind);
  const verdict = VERDICTS.get(word);
  if (verdict === undefined || (verdict === "returned" && !review.isApplication))
    throw new NotDone(`Give approve${review.isApplication ? ", return" : ""} or reject after the number.`);
  const words = noteOf(review, args);
  const found = (await waitingFor(tx, review)).find((one) => one.subject === subject);
  if (!found) throw new NotDone(`No ${review.kind} ${subject} is under review.`);
  if (found.about === "waiting" && verdict !== "rejected") throw new NotDone(`${review.kind} ${subject} waits for the member.`);
  if (found.verdict !== null) throw new NotDone(`${review.kind} ${subject} is already ${found.verdict}; the server is about to apply it.`);
  await review.decide(tx, subject, verdict, { at, words });
  const { account, about } = found;
  const name = `${review.kind} ${subject}`;
  return { subject: name, before: { account, about }, after: { verdict, words }, lines: [`${name} of ${account} is ${verdict}.`] };
}

export const reviewCommands: readonly Command[] = [
  {
    name: "review list",
    usage: "[KIND]",
    what: `list what is under review: ${KINDS}`,
    audited: never,
    async run({ db, say }, { words: [kind] }) {
      let count = 0;
      for (const review of kind === undefined ? REVIEWS : [reviewOf(kind)]) {
        for (const { subject, account, at, about, verdict } of await waitingFor(db.kysely, review)) {
          count += 1;
          say(`${review.kind} ${subject} ${account} ${formatDateTime(epochMs(at))} ${about}, ${verdict ?? "undecided"}`);
        }
      }
      if (count === 0) say("Nothing is under review.");
    },
  },
  {
    name: "review decide",
    usage: "KIND NUMBER approve|return|reject [--words '…']",
    what: "decide it; of a margin application give the account; agents and seats can be returned, with words to the member",
    options: ["words"],
    audited: always,
    run: ({ act, at }, args) => act((tx) => decide(tx, args, at)),
  },
  {
    name: "margin",
    usage: "ACCOUNT approve|reject",
    what: "the same as review decide margin",
    audited: always,
    run: ({ act, at }, args) => act((tx) => decide(tx, { ...args, words: ["margin", ...args.words] }, at)),
  },
];
