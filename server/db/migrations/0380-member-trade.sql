/* Members' trades on the board of a simulated market, as everybody sees them: with the seed they give its tape and bars again. They name no member. */
CREATE TABLE member_trade (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  universe text NOT NULL,
  code text NOT NULL,
  opens_at bigint NOT NULL,
  at bigint NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  lots bigint NOT NULL CHECK (lots > 0),
  side smallint NOT NULL CHECK (side IN (-1, 0, 1))
);
CREATE INDEX member_trade_session ON member_trade (universe, opens_at);
