/* Fees, tax and margins of futures are rules: of all products and, with its name as code, of one; each for days. */
SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['futures']);
INSERT INTO rule (part, code, body) VALUES
  ('futures', NULL, '{"taxPerMillion": 20, "liquidationPercent": 25}'),
  ('futures', 'TX', '{"feeCents": 6000, "initialCents": 32200000, "maintenanceCents": 24700000, "mostLots": 100}'),
  ('futures', 'MTX', '{"feeCents": 3000, "initialCents": 8050000, "maintenanceCents": 6175000, "mostLots": 400}'),
  ('futures', 'TMF', '{"feeCents": 1500, "initialCents": 1610000, "maintenanceCents": 1235000, "mostLots": 2000}');

/* The fee day a trade took place on: a day lasts minutes where the venue's do. What is older counts by the calendar. */
ALTER TABLE futures_trade ADD COLUMN fee_day integer;
UPDATE futures_trade SET fee_day = (at + 28800000) / 86400000;
ALTER TABLE futures_trade ALTER COLUMN fee_day SET NOT NULL;
DROP INDEX futures_trade_day;
CREATE INDEX futures_trade_day ON futures_trade (member_id, fee_day);
