/* Conversions between a member's currencies. */
SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['conversion']);
INSERT INTO rule (part, body) VALUES ('conversion', '{"spreadPerMillion": 3000, "quoteSeconds": 15, "hourlyCents": 300000000, "closed": []}');

/* The member's live quote: one each, the newest. `body` is the contract's ConversionQuote, `mids` the rates it was made from. */
CREATE TABLE conversion_quote (
  member_id bigint PRIMARY KEY REFERENCES member (id),
  id uuid NOT NULL,
  body jsonb NOT NULL,
  mids jsonb NOT NULL,
  home_cents bigint NOT NULL,
  expires_at bigint NOT NULL
);

/* What was exchanged. A quote is accepted once: its id is the conversion's. */
CREATE TABLE conversion (
  id uuid PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  at bigint NOT NULL,
  from_currency text NOT NULL,
  to_currency text NOT NULL,
  from_cents bigint NOT NULL CHECK (from_cents > 0),
  to_cents bigint NOT NULL CHECK (to_cents > 0),
  /* The value in TWD at the mid rate of the quote, counted towards the hourly limit. */
  home_cents bigint NOT NULL,
  CONSTRAINT conversion_currencies CHECK (from_currency <> to_currency)
);
CREATE INDEX conversion_of_member ON conversion (member_id, at);
