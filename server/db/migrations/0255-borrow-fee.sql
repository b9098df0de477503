/*
 * Borrow fees: a short is borrowed from the lending pool for a fee a day. An order keeps what securities lending brought or cost the lots
 * that are open, and through which day its borrow fee is charged; orders from before this have no borrow rate in their terms and pay none.
 */
ALTER TABLE "order"
  ADD COLUMN lending_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN borrow_day integer;
CREATE INDEX order_short ON "order" (borrow_day) WHERE direction = 'fall' AND status IN ('pending', 'holding', 'readyToClose');
DO $$ BEGIN
  EXECUTE replace(pg_get_functiondef('batch_write(json, json, json, json, json)'::regprocedure),
    'carried_cents = excluded.carried_cents',
    'carried_cents = excluded.carried_cents, lending_cents = excluded.lending_cents, borrow_day = excluded.borrow_day');
END $$;

SELECT ledger_words_add('pocket', 'pocket_kind_broker', ARRAY['lendingPool']);
INSERT INTO pocket (member_id, kind, currency) VALUES (NULL, 'lendingPool', 'TWD');
SELECT ledger_words_add('ledger_tx', 'ledger_tx_kind_check', ARRAY['borrowFee']);

/* The yearly rate a short pays, per million: lower for funds, higher for the smaller companies of the second board. */
UPDATE rule SET body = body || '{"borrowPerMillion": 50000}'
WHERE part = 'trade' AND board IS NULL AND kind IS NULL AND code IS NULL AND bonds IS NULL AND member_id IS NULL
  AND valid_from IS NULL AND valid_until IS NULL;
UPDATE rule SET body = body || '{"borrowPerMillion": 25000}'
WHERE part = 'trade' AND kind = 'etf' AND board IS NULL AND code IS NULL AND bonds IS NULL AND member_id IS NULL
  AND valid_from IS NULL AND valid_until IS NULL;
INSERT INTO rule (part, board, kind, body) VALUES ('trade', 'otc', 'stock', '{"borrowPerMillion": 75000}');

SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['lending']);
INSERT INTO rule (part, body) VALUES ('lending', '{"brokerPerMillion": 250000}');
