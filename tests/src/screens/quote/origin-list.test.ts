/** Tests the list a detail was opened from: the neighbours of an instrument, and none when it was opened from elsewhere. */
import { expect, it } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import { rememberDetail } from "#src/screens/quote/detail-link.ts";
import { neighboursOf, rememberOrigin } from "#src/screens/quote/origin-list.ts";

const [a, b, c] = ["2330", "2317", "2454"].map((code) => ({ code }) as Instrument) as [Instrument, Instrument, Instrument];

it("has the neighbours of each instrument, and none beyond its ends", () => {
  rememberOrigin([a, b, c]);
  expect(neighboursOf("2317")).toEqual({ previous: a, next: c });
  expect(neighboursOf("2330")).toEqual({ previous: null, next: b });
  expect(neighboursOf("2454")).toEqual({ previous: b, next: null });
  expect(neighboursOf("2603")).toEqual({ previous: null, next: null });
});

it("is forgotten when an instrument is opened from elsewhere", () => {
  rememberOrigin([a, b, c]);
  rememberDetail(b);
  expect(neighboursOf("2317")).toEqual({ previous: null, next: null });
});
