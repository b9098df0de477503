/*
 * Members' trades and fills of an instrument in a session that is over, as its charts need them: a start reads the latest sessions only, however
 * long the log has become. `span` sums up the trades (null: none), `fills` has what moved the price: pairs of a time and lots, in the order of the log.
 */
CREATE TABLE member_day (
  universe text NOT NULL,
  code text NOT NULL,
  opens_at bigint NOT NULL,
  span json,
  fills json NOT NULL,
  PRIMARY KEY (universe, code, opens_at)
);
/* The sessions of a market that opened before `until` are in member_day; what is stored in one of them later corrects it in its own transaction. */
CREATE TABLE member_day_mark (
  universe text PRIMARY KEY,
  until bigint NOT NULL
);
/* Whole sessions are read, and some instruments of one. */
DROP INDEX member_trade_session;
CREATE INDEX member_trade_session ON member_trade (universe, opens_at, code);
DROP INDEX member_fill_session;
CREATE INDEX member_fill_session ON member_fill (universe, opens_at, code);
