/*
 * Block trades: what members took of each seller's offer, and their purchases. A purchase becomes an order that was never in the market,
 * locked until the next trading day.
 */
CREATE TABLE block_offer (
  offer_id text COLLATE "C" PRIMARY KEY,
  code text NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  shares bigint NOT NULL,
  taken bigint NOT NULL CHECK (taken BETWEEN 0 AND shares),
  closes_at bigint NOT NULL
);
CREATE INDEX block_offer_closing ON block_offer (closes_at);

CREATE SEQUENCE block_no;
CREATE TABLE block_order (
  block_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  request_id uuid NOT NULL,
  offer_id text NOT NULL REFERENCES block_offer (offer_id),
  code text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'review', 'holding', 'rejected', 'cancelled')),
  shares bigint NOT NULL CHECK (shares > 0),
  price bigint NOT NULL CHECK (price > 0),
  value_cents bigint NOT NULL CHECK (value_cents > 0),
  fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
  held_cents bigint NOT NULL CHECK (held_cents >= 0),
  terms jsonb NOT NULL,
  is_reviewed boolean NOT NULL,
  reason text,
  placed_at bigint NOT NULL,
  reviewed_at bigint,
  ended_at bigint,
  unlocks_at bigint NOT NULL,
  order_no text REFERENCES "order" (order_no),
  CHECK ((status IN ('rejected', 'cancelled')) = (reason IS NOT NULL)),
  CHECK ((status IN ('pending', 'review')) = (ended_at IS NULL)),
  CHECK ((status = 'holding') = (order_no IS NOT NULL))
);
CREATE INDEX block_order_member ON block_order (member_id, id DESC);
CREATE INDEX block_order_offer ON block_order (offer_id);
CREATE INDEX block_order_open ON block_order (id) WHERE status IN ('pending', 'review');

/* How a position came about without an order in the market; null for all others. */
ALTER TABLE "order" ADD COLUMN origin text CHECK (origin IN ('block'));
SELECT ledger_words_add('fill', 'fill_reason_check', ARRAY['block']);

/* Until when some block purchase of the member is locked; the batch reads it with the member. */
ALTER TABLE trader ADD COLUMN block_until bigint;
DO $$ BEGIN
  EXECUTE replace(pg_get_functiondef('batch_open(bigint[], uuid[], text[], integer)'::regprocedure),
    'profit_day, day_profit_cents', 'profit_day, day_profit_cents, block_until');
END $$;

SELECT ledger_words_add('pocket', 'pocket_kind_broker', ARRAY['blockSellers']);
INSERT INTO pocket (member_id, kind, currency) VALUES (NULL, 'blockSellers', 'TWD');
SELECT ledger_words_add('ledger_tx', 'ledger_tx_kind_check', ARRAY['blockHold', 'blockRelease']);
SELECT ledger_words_add('message', 'message_kind', ARRAY['block']);
ALTER TABLE message ADD COLUMN block jsonb;
ALTER TABLE message ADD CONSTRAINT message_block CHECK ((kind = 'block') = (block IS NOT NULL));

SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['block']);
INSERT INTO rule (part, body) VALUES
  ('block', '{"minimumShares": 10000, "dailyShares": 100000, "reviewCents": 300000000, "pairSeconds": 3, "reviewSeconds": 10}');
