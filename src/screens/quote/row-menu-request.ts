/** Requests for the menu of a quote row: from its dots, a long press or the keyboard. One menu serves all rows. */
import { BehaviorSubject } from "rxjs";
import type { Instrument } from "#contract/instrument.ts";

/** The instrument whose menu is open; null while it is closed. Held, because the menu's code may still be loading. */
export const rowMenu$ = new BehaviorSubject<Instrument | null>(null);

export const openRowMenu = (instrument: Instrument): void => rowMenu$.next(instrument);
