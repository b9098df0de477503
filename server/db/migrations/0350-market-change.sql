/*
 * When a database that had a market already was given the present rules of prices: its sessions up to that one keep the closes they had,
 * and the rules begin with the next session's open. Empty for a market that never had other rules.
 */
CREATE TABLE market_change (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  at bigint NOT NULL
);
INSERT INTO market_change (at)
SELECT floor(extract(epoch FROM now()) * 1000)
WHERE EXISTS (SELECT FROM market_seed) OR EXISTS (SELECT FROM member);
