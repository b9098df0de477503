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
CREATE INDEX member_fill_opening ON member_fill (universe, opens_at);
