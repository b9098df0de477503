/* Trades of a member that settle on one day settle net. Those made before this, and dividends, are still paid one by one. */
ALTER TABLE settlement ADD COLUMN nets boolean NOT NULL DEFAULT false;
ALTER TABLE settlement ALTER COLUMN nets SET DEFAULT true;

/* Money of a day's sales that a purchase of the same day holds: negative, until the order fills or lets go of it. */
SELECT ledger_words_add('settlement', 'settlement_kind_check', ARRAY['hold']);
CREATE UNIQUE INDEX settlement_hold ON settlement (order_no) WHERE kind = 'hold' AND settled_at IS NULL;
