/** Every desk, one per noun: together they answer every endpoint of the contract, or this does not compile. */
import type { Database } from "#server/db/database.ts";
import type { Venue } from "#server/venue/port.ts";
import { candleDesk } from "./candle.ts";
import { configDesk } from "./config.ts";
import type { Handlers } from "./desk.ts";
import { factDesk } from "./fact.ts";
import { flowDesk } from "./flow.ts";
import { instrumentDesk } from "./instrument.ts";
import { memberDesk } from "./member.ts";
import type { Counter } from "./order/counter.ts";
import { orderDesk } from "./order.ts";
import { quoteDesk } from "./quote.ts";
import type { Sessions } from "./session-book.ts";
import { sessionDesk } from "./session.ts";
import { watchlistDesk } from "./watchlist.ts";

export interface DeskDeps {
  db: Database;
  venue: Venue;
  counter: Counter;
  sessions: Sessions;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Man every desk. */
export function createHandlers(deps: DeskDeps): Handlers {
  return {
    ...configDesk(deps),
    ...sessionDesk(deps),
    ...memberDesk(deps),
    ...instrumentDesk(deps),
    ...quoteDesk(deps),
    ...candleDesk(deps),
    ...watchlistDesk(deps),
    ...orderDesk(deps),
    ...flowDesk(deps),
    ...factDesk(deps),
  };
}
