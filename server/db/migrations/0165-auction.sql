/*
 * Competitive auctions before the lottery of a share. What is sealed until the bids are opened (the secret of the draw and the crowd's
 * bids) lies in a table of its own; so nothing that reads an auction can tell it.
 */
CREATE TABLE auction (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  /* The market it belongs to: another one has other issues with the same codes. */
  market text NOT NULL,
  code text COLLATE "C" NOT NULL,
  status text NOT NULL CHECK (status IN ('notStarted', 'bidding', 'closed', 'opened', 'voided')),
  opens_at bigint NOT NULL,
  closes_at bigint NOT NULL CHECK (closes_at > opens_at),
  opens_bids_at bigint NOT NULL CHECK (opens_bids_at >= closes_at),
  /* A late opening moves these two. */
  refunds_at bigint NOT NULL,
  payable_until bigint NOT NULL,
  allotted_at bigint NOT NULL,
  trades_from bigint NOT NULL,
  lots bigint NOT NULL CHECK (lots > 0),
  lot_shares bigint NOT NULL CHECK (lot_shares > 0),
  minimum_price bigint NOT NULL CHECK (minimum_price > 0),
  most_price bigint NOT NULL CHECK (most_price >= minimum_price),
  cap_lots bigint NOT NULL CHECK (cap_lots > 0),
  terms jsonb NOT NULL,
  lead_broker jsonb NOT NULL,
  commitment text NOT NULL,
  /* Published by the opening. */
  outcome jsonb,
  tied jsonb,
  UNIQUE (market, code),
  CHECK ((status = 'opened') = (outcome IS NOT NULL)),
  CHECK ((status = 'opened') = (tied IS NOT NULL))
);
CREATE INDEX auction_moving ON auction (id) WHERE status IN ('notStarted', 'bidding', 'closed');

CREATE TABLE auction_sealed (
  auction_id bigint PRIMARY KEY REFERENCES auction (id),
  secret text NOT NULL,
  crowd jsonb NOT NULL
);

/* A reminder that a member wants when bidding begins. */
CREATE TABLE auction_booking (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  auction_id bigint NOT NULL REFERENCES auction (id),
  member_id bigint NOT NULL REFERENCES member (id),
  booked_at bigint NOT NULL,
  told_at bigint,
  UNIQUE (member_id, auction_id)
);
CREATE INDEX auction_booking_open ON auction_booking (id) WHERE told_at IS NULL;

/* Members' sealed bids. Their money lies in the pocket `reserved`. `id` counts the bids of all members and is told to nobody. */
CREATE SEQUENCE bid_id;
CREATE TABLE bid (
  id bigint PRIMARY KEY,
  bid_no text COLLATE "C" NOT NULL,
  member_id bigint NOT NULL REFERENCES member (id),
  auction_id bigint NOT NULL REFERENCES auction (id),
  request_id uuid NOT NULL,
  code text COLLATE "C" NOT NULL,
  status text NOT NULL CHECK (status IN ('placed', 'won', 'lost', 'paid', 'forfeited', 'voided')),
  price bigint NOT NULL CHECK (price > 0),
  lots bigint NOT NULL CHECK (lots > 0),
  value_cents bigint NOT NULL CHECK (value_cents > 0),
  deposit_cents bigint NOT NULL CHECK (deposit_cents BETWEEN 0 AND value_cents),
  fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
  reserved_cents bigint NOT NULL CHECK (reserved_cents >= 0),
  /* Written for all bids of an auction by its opening; the member is told when the status changes. */
  won_lots bigint NOT NULL CHECK (won_lots BETWEEN 0 AND lots),
  won_cents bigint NOT NULL CHECK (won_cents BETWEEN 0 AND value_cents),
  award_fee_cents bigint NOT NULL CHECK (award_fee_cents >= 0),
  due_cents bigint NOT NULL CHECK (due_cents >= 0),
  refund_cents bigint NOT NULL CHECK (refund_cents BETWEEN 0 AND deposit_cents),
  placed_at bigint NOT NULL,
  opened_at bigint,
  payable_until bigint,
  refunds_at bigint,
  refunded_at bigint,
  paid_at bigint,
  ended_at bigint,
  order_no text REFERENCES "order" (order_no),
  /* When the clock has something to do with it; null when it never has again, or not before the opening. */
  due_at bigint,
  UNIQUE (member_id, bid_no),
  CHECK ((status IN ('placed', 'won')) = (ended_at IS NULL)),
  CHECK (order_no IS NULL OR status = 'paid'),
  CHECK (status <> 'voided' OR reserved_cents = 0)
);
CREATE INDEX bid_member ON bid (member_id, id DESC);
CREATE INDEX bid_auction ON bid (auction_id);
CREATE INDEX bid_due ON bid (id) WHERE due_at IS NOT NULL;

SELECT ledger_words_add('message', 'message_kind', ARRAY['auction']);
ALTER TABLE message ADD COLUMN auction jsonb;
ALTER TABLE message ADD CONSTRAINT message_auction CHECK ((kind = 'auction') = (auction IS NOT NULL));

SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['auction']);
INSERT INTO rule (part, body) VALUES
  ('auction', '{"depositPerMillion": 500000, "bidFeeCents": 40000, "awardFeePerMillion": 40000, "leastLots": 1, "capPerMillion": 100000,
    "mostBids": 10}');
