/*
 * Debts: what a close or a charge costs beyond a member's money is owed by the member, in a pocket of its own that is never above zero,
 * and paid by the next money that comes in. Losses the broker had taken before stay in its own pocket `shortfall`.
 */
ALTER TABLE pocket DROP CONSTRAINT pocket_kind;
ALTER TABLE pocket ADD CONSTRAINT pocket_kind CHECK (
  CASE WHEN member_id IS NULL THEN kind IN ('fees', 'tax', 'clearing', 'external', 'shortfall', 'loans', 'interest', 'issuers')
  ELSE kind IN ('available', 'held', 'collateral', 'profit', 'credit', 'unsettled', 'owing', 'margin', 'debt') END
);
ALTER TABLE pocket DROP CONSTRAINT pocket_not_negative;
ALTER TABLE pocket ADD CONSTRAINT pocket_not_negative CHECK (
  CASE WHEN member_id IS NULL THEN true WHEN kind = 'debt' THEN balance <= 0 ELSE balance >= 0 END
);
INSERT INTO pocket (member_id, kind, currency) SELECT id, 'debt', 'TWD' FROM member;
CREATE INDEX pocket_in_debt ON pocket (member_id) WHERE kind = 'debt' AND balance < 0;
ALTER TABLE ledger_tx DROP CONSTRAINT ledger_tx_kind_check;
ALTER TABLE ledger_tx ADD CONSTRAINT ledger_tx_kind_check CHECK (kind IN ('deposit', 'hold', 'release', 'buy', 'sell', 'shortOpen', 'shortClose',
  'fee', 'tax', 'interest', 'dividend', 'margin', 'settle', 'repay'));

/* A position may be sold to pay a debt. */
ALTER TABLE "order" DROP CONSTRAINT order_close_cause_check;
ALTER TABLE "order" ADD CONSTRAINT order_close_cause_check
  CHECK (close_cause IN ('member', 'condition', 'squareOff', 'marginCall', 'liquidation', 'debt'));

/* The inbox says what was owed, what was cancelled for it and what is left. */
ALTER TABLE message ADD COLUMN debt jsonb;
ALTER TABLE message DROP CONSTRAINT message_kind;
ALTER TABLE message ADD CONSTRAINT message_kind CHECK (kind IN ('welcome', 'alert', 'marginCall', 'debt'));
ALTER TABLE message ADD CONSTRAINT message_debt CHECK ((kind = 'debt') = (debt IS NOT NULL));

/* An account this low is not given its days of grace: one daily limit further and it would not cover what it owes. */
UPDATE rule SET body = body || '{"liquidationPercent": 120}' WHERE part = 'margin' AND member_id IS NULL;
