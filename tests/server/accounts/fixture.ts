/** A test broker whose venue also prices currencies. */
import type { Currency } from "#contract/kernel/currency.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const FOREX = { kind: "forex", board: "forex", tradable: false, shortable: false } as const;
/** As the venue quotes them: yen and won by the hundred, dong by the thousand. */
const QUOTES: Partial<Record<Currency, number>> = { USD: 31.5, JPY: 20.5, CNY: 4.41, VND: 1.2, KRW: 2.18 };

export interface CurrencyBroker extends TestBroker {
  /** Sets a currency's mid rate as the venue quotes it. */
  quote(currency: Currency, mid: number): void;
}

/** Opens a broker with US dollars, yen, renminbi, dong and won; the other currencies have no price. */
export async function openCurrencyBroker(): Promise<CurrencyBroker> {
  const clock = { now: Date.UTC(2026, 6, 1, 2, 0, 0) };
  const pairs = Object.keys(QUOTES);
  const instruments = [...INSTRUMENTS, ...pairs.map((currency, nth) => fakeInstrument(INSTRUMENTS.length + nth, `${currency}TWD`, FOREX))];
  const venue = fakeVenue(instruments, () => clock.now);
  const quote = (currency: Currency, mid: number): void => {
    const row = INSTRUMENTS.length + pairs.indexOf(currency);
    venue.set(row, { bids: [[mid - 0.0005, 1]], asks: [[mid + 0.0005, 1]], last: mid, reference: mid });
  };
  for (const [currency, mid] of Object.entries(QUOTES)) quote(currency as Currency, mid);
  return { ...(await openTestBroker({ clock, venue })), quote };
}
