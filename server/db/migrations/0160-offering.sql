/*
 * Offerings: one row for each issue that the venue announces, of any kind. `price` is null until an auction has set it. What is secret
 * until the close or the draw lies in a table of its own, and is copied when it is published.
 */
CREATE SEQUENCE offering_no;
CREATE TABLE offering (
  offering_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  /* The market it belongs to: another one has other issues with the same codes. */
  market text NOT NULL,
  code text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('share', 'bond', 'placement', 'fund')),
  phase text NOT NULL CHECK (phase IN ('upcoming', 'open', 'closed', 'drawn', 'allotted', 'listed', 'void', 'failed')),
  names jsonb NOT NULL,
  board text NOT NULL,
  category text NOT NULL,
  lead_broker jsonb NOT NULL,
  price bigint CHECK (price > 0),
  provisional_price bigint NOT NULL CHECK (provisional_price > 0),
  lots bigint NOT NULL CHECK (lots > 0),
  lot_shares bigint NOT NULL CHECK (lot_shares > 0),
  auction jsonb,
  announced_at bigint NOT NULL,
  opens_at bigint NOT NULL,
  closes_at bigint NOT NULL,
  drawn_at bigint,
  payable_from bigint,
  payable_until bigint NOT NULL,
  allotted_at bigint NOT NULL,
  trades_from bigint NOT NULL,
  /* Published before the window opens. */
  secret_hash text,
  crowd_hash text,
  committed_at bigint,
  /* Published at the close: the crowd, the members' applications, and the hash of the whole list. */
  crowd_key text,
  crowd_lots bigint,
  member_lots bigint,
  applications bigint,
  list_hash text,
  /* Published at the draw. */
  secret text,
  winning_lots bigint,
  result_hash text,
  result_at bigint,
  UNIQUE (market, code),
  CHECK ((secret_hash IS NULL) = (committed_at IS NULL))
);
CREATE INDEX offering_opens ON offering (opens_at DESC, id DESC);
CREATE INDEX offering_moving ON offering (id) WHERE phase NOT IN ('listed', 'void', 'failed');

CREATE TABLE offering_secret (
  offering_no text COLLATE "C" PRIMARY KEY REFERENCES offering (offering_no),
  secret text NOT NULL,
  crowd_key text NOT NULL,
  crowd_lots bigint NOT NULL CHECK (crowd_lots >= 0)
);

/* A reminder that a member wants when an offering opens. */
CREATE TABLE offering_booking (
  member_id bigint NOT NULL REFERENCES member (id),
  offering_no text COLLATE "C" NOT NULL REFERENCES offering (offering_no),
  booked_at bigint NOT NULL,
  told_at bigint,
  PRIMARY KEY (member_id, offering_no)
);
CREATE INDEX offering_booking_open ON offering_booking (offering_no, member_id) WHERE told_at IS NULL;

/* Members' applications. Their money lies in the pocket `reserved`. */
CREATE SEQUENCE subscription_no;
CREATE TABLE subscription (
  subscription_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  offering_no text COLLATE "C" NOT NULL REFERENCES offering (offering_no),
  request_id uuid NOT NULL,
  receipt text COLLATE "C" NOT NULL,
  status text NOT NULL CHECK (status IN ('subscribing', 'withdrawn', 'won', 'notWon', 'paid', 'paymentFailed', 'waived', 'voided')),
  lots bigint NOT NULL CHECK (lots > 0),
  /* Drawn lots; they are told to the member when the status changes. */
  won_lots bigint CHECK (won_lots BETWEEN 0 AND lots),
  price bigint NOT NULL CHECK (price > 0),
  fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
  delivery_cents bigint NOT NULL CHECK (delivery_cents >= 0),
  deposit_cents bigint NOT NULL CHECK (deposit_cents >= 0),
  reserved_cents bigint NOT NULL CHECK (reserved_cents >= 0),
  due_cents bigint,
  paid_cents bigint NOT NULL DEFAULT 0 CHECK (paid_cents >= 0),
  applied_at bigint NOT NULL,
  result_at bigint,
  paid_at bigint,
  ended_at bigint,
  order_no text REFERENCES "order" (order_no),
  CHECK (order_no IS NULL OR status = 'paid'),
  CHECK (status IN ('subscribing', 'won', 'paid') OR reserved_cents = 0),
  CHECK ((status IN ('withdrawn', 'notWon', 'paymentFailed', 'waived', 'voided')) = (ended_at IS NOT NULL))
);
CREATE INDEX subscription_member ON subscription (member_id, id DESC);
/* One live application a member. */
CREATE UNIQUE INDEX subscription_once ON subscription (member_id, offering_no) WHERE status <> 'withdrawn';
/* The published list. */
CREATE UNIQUE INDEX subscription_receipt ON subscription (offering_no, receipt) WHERE status <> 'withdrawn';
/* What the clock still has to do. */
CREATE INDEX subscription_moving ON subscription (offering_no, id)
  WHERE status IN ('subscribing', 'won') OR (status = 'paid' AND order_no IS NULL);
CREATE INDEX subscription_failed ON subscription (member_id, ended_at) WHERE status = 'paymentFailed';

/* The list of origins becomes one that words can be added to. */
DO $$ BEGIN
  IF position('ARRAY[' IN (SELECT pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid = '"order"'::regclass AND conname = 'order_origin_check')) = 0 THEN
    ALTER TABLE "order" DROP CONSTRAINT order_origin_check;
    ALTER TABLE "order" ADD CONSTRAINT order_origin_check CHECK (origin IN ('block', 'subscription', 'bid'));
  ELSE
    PERFORM ledger_words_add('"order"', 'order_origin_check', ARRAY['subscription', 'bid']);
  END IF;
END $$;
SELECT ledger_words_add('fill', 'fill_reason_check', ARRAY['offering']);

/* Money of a member that is held for an application, a bid or a raise. */
SELECT ledger_words_add('pocket', 'pocket_kind_member', ARRAY['reserved']);
SELECT ledger_words_add('pocket', 'pocket_trading', ARRAY['reserved']);
INSERT INTO pocket (member_id, kind, currency) SELECT id, 'reserved', 'TWD' FROM member;
SELECT ledger_words_add('ledger_tx', 'ledger_tx_kind_check', ARRAY['reserve', 'reserveRelease', 'offeringFee', 'forfeit']);

SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['offering']);
INSERT INTO rule (part, body) VALUES
  ('offering', '{"channels": ["share", "bond", "placement", "fund"], "feeCents": 2000, "deliveryCents": 5000, "depositPerMillion": 100000,
    "timesPerOffering": 1, "placementLeastLots": 1, "placementMostLots": 20, "barredDraws": 3, "payAfterSeconds": 30}');
