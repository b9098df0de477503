/** Notices when a fact, and not the member, changes what the order on the ticket would do: it must be chosen again. */
import { useState } from "react";
import { usePositions } from "#src/streams/positions.ts";
import type { Draft } from "./draft.ts";
import type { Act, Intent } from "./intent.ts";

type Chosen = Pick<Draft, "side" | "kind" | "market" | "funding" | "leverage">;

/** What the member chose, and what the order did then. */
export interface Meant {
  chosen: Chosen;
  act: Act;
}

const same = (a: Chosen, b: Chosen): boolean =>
  a.side === b.side && a.kind === b.kind && a.market === b.market && a.funding === b.funding && a.leverage === b.leverage;

/** Tells whether the same choices now do something else. */
export const isOtherNow = (meant: Meant | null, chosen: Chosen, act: Act): boolean =>
  meant !== null && same(meant.chosen, chosen) && meant.act !== act;

export interface ChangedIntent {
  /** What the order was to do before the fact; null unless the member has to choose again. */
  changed: Act | null;
  /** The member chose: what the order does now is meant. */
  settle: () => void;
  /** A new ticket: nothing is meant yet. */
  restart: () => void;
}

interface IntentOptions {
  /** As typed: the choices of the member. */
  typed: Draft;
  /** What they do; null while it is not known, or while another step than the form is shown. */
  intent: Intent | null;
  /** The member has begun to fill in the ticket; until then it follows what is held. */
  begun: boolean;
  setDraft: (next: Draft) => void;
}

/** After such a change the kind is no longer chosen, and the lots are the default. */
export function useChangedIntent({ typed, intent, begun, setDraft }: IntentOptions): ChangedIntent {
  const heldKnown = usePositions().value !== null;
  const act = heldKnown && intent ? intent.act : null;
  const [meant, setMeant] = useState<Meant | null>(null);
  const [changed, setChanged] = useState<Act | null>(null);
  if (act !== null) {
    if (begun && isOtherNow(meant, typed, act)) {
      setChanged(meant?.act ?? null);
      setMeant(null);
      setDraft({ ...typed, kind: null, lotsTyped: false });
    } else if (meant === null || meant.act !== act || !same(meant.chosen, typed)) setMeant({ chosen: typed, act });
  }
  const settle = (): void => setChanged(null);
  return {
    changed,
    settle,
    restart: () => {
      setChanged(null);
      setMeant(null);
    },
  };
}
