/*
 * What members bought of the market's own lots in continuous trading, or sold (a negative number): with the seed it gives the prices that they moved.
 * It names no member.
 */
CREATE TABLE member_fill (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  universe text NOT NULL,
  code text NOT NULL,
  opens_at bigint NOT NULL,
  at bigint NOT NULL,
  lots bigint NOT NULL CHECK (lots <> 0)
);
CREATE INDEX member_fill_session ON member_fill (universe, code, opens_at);
