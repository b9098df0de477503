/** Signs agreements in tests as a member's phone does. */
import type { Strokes } from "#contract/signature.ts";
import type { Agreement } from "#contract/eligibility.ts";
import type { TestBroker } from "./trading.ts";

/** Two strokes that are long enough for a signature. */
export const STROKES: Strokes = [
  [
    [40, 40],
    [200, 160],
    [360, 40],
  ],
  [
    [60, 180],
    [500, 170],
  ],
];

/** Reads an agreement to its end and signs it by hand. */
export async function signByHand(broker: Pick<TestBroker, "call">, memberId: number, kind: Agreement) {
  const { hash } = await broker.call("readAgreement", memberId, { kind, language: "en" });
  return broker.call("signAgreement", memberId, { kind, language: "en", hash, readToEnd: true, typedName: "", strokes: STROKES });
}
