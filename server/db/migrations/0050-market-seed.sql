/*
 * The secret the sandbox market is drawn from, drawn at the first start. A table of its own, so that nothing that reads settings can
 * ever tell it: whoever knows it knows every price to come.
 */
CREATE TABLE market_seed (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  seed text NOT NULL CHECK (seed ~ '^[0-9a-f]{64}$')
);
