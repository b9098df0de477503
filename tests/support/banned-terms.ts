/** Words that were replaced by the terms of the trade or by plainer English, and what to say instead. */

export interface BannedTerm {
  /** Whole words, in any case; `turnedDay` and `TURNED_DAY` count as two words. */
  words: string;
  say: string;
}

export const BANNED_TERMS: readonly BannedTerm[] = [
  // Trading.
  { words: "(?:the|a|open) house", say: "the broker" },
  { words: "desks?", say: "handler" },
  { words: "clockwork", say: "jobs" },
  { words: "rhythm", say: "interval" },
  { words: "ruling", say: "rule reload" },
  { words: "squaring", say: "square-off" },
  { words: "sweeping", say: "retention" },
  { words: "dawn", say: "start of day" },
  { words: "day turned", say: "session rolled" },
  { words: "sights?", say: "price range" },
  { words: "venture", say: "order draft" },
  { words: "outset", say: "order draft" },
  { words: "seeks?", say: "counterparty query" },
  { words: "struck", say: "hold a call auction" },
  { words: "unsteady", say: "requires full payment" },
  { words: "(?:session|alert|chart|profit) book", say: "store, or registry: a book is an order book" },
  // Realtime and venue.
  { words: "bulletins?", say: "broadcast" },
  { words: "outlets?", say: "sink" },
  { words: "rank board", say: "ranking subscription" },
  { words: "almanac", say: "daily-bar cache" },
  { words: "retelling", say: "tape backfill" },
  { words: "temper", say: "price parameters" },
  { words: "timetable", say: "session rules" },
  { words: "diary", say: "daily process" },
  // Client.
  { words: "pulse", say: "heartbeat" },
  { words: "hearers?", say: "listener" },
  { words: "hears?|heard|learnt", say: "received" },
  { words: "kept commands?", say: "pending commands" },
  { words: "deeds?", say: "order actions" },
  { words: "tongues?", say: "locales" },
  { words: "furniture", say: "UI kit" },
  // English.
  { words: "anew", say: "again" },
  { words: "for ever", say: "forever, or without end" },
  { words: "whoever", say: "who it is about" },
  { words: "lest|nought|ere|whence|thence|hither|unto|betwixt|henceforth|forthwith|thereof|wherein", say: "a word of today" },
];
