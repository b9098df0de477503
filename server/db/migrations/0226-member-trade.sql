/* What members' orders did to the market: with the seed it gives the market's path again after a restart. Names no member. */
CREATE TABLE member_trade (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  universe text NOT NULL,
  code text NOT NULL,
  at bigint NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  lots bigint NOT NULL CHECK (lots >= 0),
  side smallint NOT NULL CHECK (side IN (-1, 0, 1)),
  taken bigint NOT NULL CHECK (taken BETWEEN 0 AND lots)
);
