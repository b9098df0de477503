/*
 * Rewards: check-ins and the fee vouchers they redeem, applications to become an agent or to take a seat, and the agents' rebates. Vouchers
 * and rebates are paid from the broker's pocket for rewards; an order knows the voucher that pays its opening fee.
 */
SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['reward']);
INSERT INTO rule (part, body) VALUES
  ('reward', '{"checkInsPerVoucher": 7, "voucherCents": 2000, "voucherDays": 30, "reviewSeconds": 10, "statementLetters": 10,
    "agentMinimumScore": 60, "rebatePerMillion": 200000, "seatMinimumScore": 70, "seatMinimumOrders": 5, "seatFeePerMillion": 855}');

CREATE TABLE check_in (
  member_id bigint NOT NULL REFERENCES member (id),
  /* A Taipei day number. */
  day integer NOT NULL,
  at bigint NOT NULL,
  /* Days in a row, this one included. */
  streak integer NOT NULL CHECK (streak > 0),
  PRIMARY KEY (member_id, day)
);
ALTER TABLE trader ADD COLUMN check_ins_spent integer NOT NULL DEFAULT 0 CHECK (check_ins_spent >= 0);

CREATE SEQUENCE voucher_no;
CREATE TABLE voucher (
  voucher_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  status text NOT NULL CHECK (status IN ('available', 'reserved', 'used', 'expired')),
  face_cents bigint NOT NULL CHECK (face_cents > 0),
  issued_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  order_no text,
  paid_cents bigint NOT NULL DEFAULT 0 CHECK (paid_cents BETWEEN 0 AND face_cents),
  CHECK ((status IN ('reserved', 'used')) = (order_no IS NOT NULL)),
  CHECK ((status = 'used') = (paid_cents > 0))
);
CREATE INDEX voucher_of_member ON voucher (member_id, id DESC);
CREATE INDEX voucher_available ON voucher (member_id, expires_at) WHERE status = 'available';
CREATE INDEX voucher_expiry ON voucher (expires_at) WHERE status = 'available';

ALTER TABLE "order"
  ADD COLUMN voucher_no text,
  /* What the voucher may still pay, and what it has paid of the opening fee. */
  ADD COLUMN voucher_left_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN voucher_cents bigint NOT NULL DEFAULT 0;

CREATE SEQUENCE application_no;
CREATE TABLE application (
  application_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  kind text NOT NULL CHECK (kind IN ('agent', 'seat')),
  status text NOT NULL CHECK (status IN ('pendingReview', 'waiting', 'approved', 'rejected', 'processing', 'success', 'failure')),
  statement text NOT NULL,
  reason text,
  note text,
  submitted_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  /* The operator's decision with a note to the member, which the server applies. */
  verdict text CHECK (verdict IN ('review.approved', 'review.rejected', 'review.returned')),
  verdict_note text
);
CREATE INDEX application_of_member ON application (member_id, kind, id DESC);
/* Once: a further one only after a rejection or a failure. */
CREATE UNIQUE INDEX application_once ON application (member_id, kind) WHERE status NOT IN ('rejected', 'failure');
CREATE INDEX application_open ON application (id) WHERE status IN ('pendingReview', 'approved', 'processing') OR verdict IS NOT NULL;

CREATE TABLE agent (
  member_id bigint PRIMARY KEY REFERENCES member (id),
  opened_at bigint NOT NULL
);
/* What each invited member's commissions brought their agent, by month. */
CREATE TABLE rebate (
  agent_id bigint NOT NULL REFERENCES member (id),
  month text NOT NULL,
  member_id bigint NOT NULL REFERENCES member (id),
  /* Really paid, net of vouchers. */
  commission_cents bigint NOT NULL,
  rebate_cents bigint NOT NULL CHECK (rebate_cents >= 0 AND rebate_cents < commission_cents),
  PRIMARY KEY (agent_id, month, member_id)
);
CREATE INDEX rebate_of_member ON rebate (member_id, agent_id);
CREATE TABLE rebate_payment (
  agent_id bigint NOT NULL REFERENCES member (id),
  month text NOT NULL,
  cents bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (agent_id, month)
);

SELECT ledger_words_add('ledger_tx', 'ledger_tx_kind_check', ARRAY['voucher', 'rebate']);
SELECT ledger_words_add('message', 'message_kind', ARRAY['notice']);
ALTER TABLE message ADD COLUMN notice jsonb;
ALTER TABLE message ADD CONSTRAINT message_notice CHECK ((kind = 'notice') = (notice IS NOT NULL));

/* The batch reads with each member the vouchers they can use and the agent who invited them, and writes an order's voucher back. */
DO $$ BEGIN
  EXECUTE replace(pg_get_functiondef('batch_open(bigint[], uuid[], text[], integer)'::regprocedure),
    'profit_day, day_profit_cents', 'profit_day, day_profit_cents,
          (SELECT coalesce(json_agg(json_build_object(''voucher_no'', voucher_no, ''face_cents'', face_cents, ''expires_at'', expires_at)
             ORDER BY expires_at, voucher.id), ''[]'')
           FROM voucher WHERE voucher.member_id = member.id AND voucher.status = ''available'') AS vouchers,
          (SELECT agent.member_id FROM agent WHERE agent.member_id = member.invited_by) AS agent_id');
  EXECUTE replace(pg_get_functiondef('batch_write(json, json, json, json, json)'::regprocedure),
    'version = excluded.version', 'version = excluded.version, voucher_no = excluded.voucher_no,
    voucher_left_cents = excluded.voucher_left_cents, voucher_cents = excluded.voucher_cents');
END $$;
