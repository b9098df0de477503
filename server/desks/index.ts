/** Every desk, one per noun: together they answer every endpoint of the contract, or this does not compile. */
import type { Database } from "#server/db/database.ts";
import type { Venue } from "#server/venue/port.ts";
import { alertDesk } from "./alert.ts";
import type { AlertBook } from "./alert/book.ts";
import { candleDesk } from "./candle.ts";
import { configDesk } from "./config.ts";
import { corporateActionDesk } from "./corporate-action.ts";
import type { Handlers } from "./desk.ts";
import { factDesk } from "./fact.ts";
import { conditionDesk } from "./condition.ts";
import { marginDesk } from "./margin.ts";
import { dayTradingDesk } from "./day-trading.ts";
import { riskDesk } from "./risk.ts";
import { settlementDesk } from "./settlement.ts";
import { curveDesk } from "./curve.ts";
import { flowDesk } from "./flow.ts";
import { heatDesk } from "./heat.ts";
import { instrumentDesk } from "./instrument.ts";
import { memberDesk } from "./member.ts";
import { messageDesk } from "./message.ts";
import { newsDesk } from "./news.ts";
import type { Counter } from "./order/counter.ts";
import { orderDesk } from "./order.ts";
import { preferenceDesk } from "./preference.ts";
import { profileDesk } from "./profile.ts";
import { quoteDesk } from "./quote.ts";
import { ruleDesk } from "./rule.ts";
import { searchDesk } from "./search.ts";
import type { NoteSecurity } from "./security-log.ts";
import type { DemoAccess, Sessions } from "./session-book.ts";
import { sessionDesk } from "./session.ts";
import { tapeDesk } from "./tape.ts";
import { watchlistDesk } from "./watchlist.ts";

export interface DeskDeps {
  db: Database;
  venue: Venue;
  counter: Counter;
  alerts: AlertBook;
  sessions: Sessions;
  security?: NoteSecurity;
  demo?: DemoAccess;
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
    ...heatDesk(deps),
    ...tapeDesk(deps),
    ...candleDesk(deps),
    ...watchlistDesk(deps),
    ...orderDesk(deps),
    ...flowDesk(deps),
    ...curveDesk(deps),
    ...settlementDesk(deps),
    ...riskDesk(deps),
    ...dayTradingDesk(deps),
    ...marginDesk(deps),
    ...conditionDesk(deps),
    ...ruleDesk(deps),
    ...factDesk(deps),
    ...alertDesk(deps),
    ...messageDesk(deps),
    ...preferenceDesk(deps),
    ...searchDesk(deps),
    ...corporateActionDesk(deps),
    ...profileDesk(deps),
    ...newsDesk(deps),
  };
}
