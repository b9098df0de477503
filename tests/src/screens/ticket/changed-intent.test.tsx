/** Tests that a fact which changes what an order would do takes back its kind and asks, and that the member's own choices do not. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { useEffect, useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { positionsOf } from "#contract/position.ts";
import type { Position } from "#contract/position.ts";
import { FIRST_DRAFT } from "#src/screens/ticket/draft.ts";
import type { Draft } from "#src/screens/ticket/draft.ts";
import { intentOf } from "#src/screens/ticket/intent.ts";
import { useChangedIntent } from "#src/screens/ticket/use-changed-intent.ts";
import { positions } from "#src/streams/orders.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { orderOf } from "#tests/src/screens/trade/orders.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { setUpHarness, watch } from "#tests/src/streams/harness.tsx";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

setUpHarness();

/** What the ticket below was rendered with. */
interface Seen {
  draft: Draft;
  choose: (next: Partial<Draft>) => void;
  settle: () => void;
}
let shown: Shown;
let now: Seen;
const see = (seen: Seen): void => void (now = seen);

const DAY_TRADE = positionsOf([orderOf({ dayTrade: true })]);
const SHORT = positionsOf([orderOf({ direction: "fall" })]);

function Ticket({ held, begun = true, onSee }: { held: readonly Position[]; begun?: boolean; onSee: (seen: Seen) => void }) {
  const [draft, setDraft] = useState<Draft>({ ...FIRST_DRAFT, side: "sell", kind: "dayTrade", lotsText: "2", lotsTyped: true });
  const { changed, settle } = useChangedIntent({ typed: draft, intent: intentOf(draft, held, "cash"), begun, setDraft });
  useEffect(() => onSee({ draft, settle, choose: (next) => setDraft({ ...draft, ...next }) }));
  return <p>{changed ?? "as chosen"}</p>;
}

const ticket = (held: readonly Position[], begun = true) => <Ticket held={held} begun={begun} onSee={see} />;
const says = (): string | null => shown.place.textContent;

beforeEach(async () => {
  fakeWorker();
  await marketApi();
  mock("listPositions", () => accepted({ positions: [] }));
  watch(positions);
  await vi.waitFor(() => expect(positions.now().state).toBe("ready"));
  shown = await show(ticket(DAY_TRADE));
});
afterEach(() => shown.gone());

it("a day trade that is closed meanwhile does not leave its sale as an opening short", async () => {
  expect(says()).toBe("as chosen");
  await shown.again(ticket([]));
  expect(says()).toBe("sell");
  expect(now.draft).toMatchObject({ side: "sell", kind: null, lotsTyped: false });
  expect(intentOf(now.draft, [], "cash").nothing).toBe("noneToSell");
  await doing(() => now.settle());
  expect(says()).toBe("as chosen");
});

it("the member's own choice of a short is not asked about", async () => {
  await doing(() => now.choose({ kind: "short" }));
  expect(intentOf(now.draft, DAY_TRADE, "cash").act).toBe("short");
  expect(says()).toBe("as chosen");
  await doing(() => now.choose({ side: "buy", kind: null }));
  expect(says()).toBe("as chosen");
});

it("a purchase that would cover a short opened meanwhile is asked about, once it was begun", async () => {
  await doing(() => now.choose({ side: "buy", kind: null }));
  await shown.again(ticket(SHORT, false));
  expect(says()).toBe("as chosen");
  await shown.again(ticket([]));
  expect(says()).toBe("cover");
});
