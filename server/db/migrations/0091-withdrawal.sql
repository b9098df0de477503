/*
 * Bank cards and withdrawals. The money of a withdrawal lies in the member's pocket `payout` from its request to its end.
 */
CREATE SEQUENCE bank_card_no;
CREATE TABLE bank_card (
  id bigint PRIMARY KEY DEFAULT nextval('bank_card_no'),
  member_id bigint NOT NULL REFERENCES member (id),
  bank_code text NOT NULL,
  branch text NOT NULL,
  branch_code text NOT NULL,
  number text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  added_at bigint NOT NULL,
  removed_at bigint
);
CREATE INDEX bank_card_member ON bank_card (member_id, id);
/* An account belongs to one member. */
CREATE UNIQUE INDEX bank_card_number ON bank_card (bank_code, number) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX bank_card_default ON bank_card (member_id) WHERE is_default AND removed_at IS NULL;

CREATE SEQUENCE withdrawal_no;
CREATE TABLE withdrawal (
  withdrawal_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  card_id bigint NOT NULL REFERENCES bank_card (id),
  status text NOT NULL CHECK (status IN ('requested', 'underReview', 'processing', 'paid', 'failed', 'cancelled')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  bank_code text NOT NULL,
  number text NOT NULL,
  reason text,
  requested_at bigint NOT NULL,
  reviewed_at bigint,
  approved_at bigint,
  ended_at bigint,
  usual_at bigint NOT NULL,
  latest_at bigint NOT NULL,
  CHECK ((status = 'failed') = (reason IS NOT NULL)),
  CHECK ((status IN ('paid', 'failed', 'cancelled')) = (ended_at IS NOT NULL))
);
CREATE INDEX withdrawal_member ON withdrawal (member_id, id DESC);
CREATE INDEX withdrawal_card ON withdrawal (card_id) WHERE status IN ('requested', 'underReview', 'processing');
/* One on its way at a time. */
CREATE UNIQUE INDEX withdrawal_open ON withdrawal (member_id) WHERE status IN ('requested', 'underReview', 'processing');

SELECT ledger_words_add('ledger_tx', 'ledger_tx_kind_check', ARRAY['payoutHold', 'payoutRelease', 'withdrawal']);
SELECT ledger_words_add('message', 'message_kind', ARRAY['withdrawal']);
ALTER TABLE message ADD COLUMN withdrawal jsonb;
ALTER TABLE message ADD CONSTRAINT message_withdrawal CHECK ((kind = 'withdrawal') = (withdrawal IS NOT NULL));
