/*
 * Copy trading: mentors, who follows them, and what was copied. An act is what one order of a mentor traded in one moment; it is decided
 * once, in the transaction of its copies.
 */
CREATE SEQUENCE mentor_no;
CREATE TABLE mentor (
  mentor_no text COLLATE "C" PRIMARY KEY,
  member_id bigint NOT NULL UNIQUE REFERENCES member (id),
  /* The broker's own mentors have a strategy, members a name. */
  strategy text UNIQUE CHECK (strategy IN ('trend', 'reversion')),
  name text,
  capital_cents bigint NOT NULL CHECK (capital_cents > 0),
  since bigint NOT NULL,
  /* Acts before it are decided. */
  acted_at bigint NOT NULL,
  closes_at bigint,
  removed_at bigint,
  CHECK ((strategy IS NULL) <> (name IS NULL))
);

CREATE SEQUENCE copy_no;
CREATE TABLE copy (
  copy_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  mentor_no text COLLATE "C" NOT NULL REFERENCES mentor (mentor_no),
  status text NOT NULL CHECK (status IN ('following', 'paused', 'stopping', 'stopped')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  stop_percent integer NOT NULL CHECK (stop_percent BETWEEN 1 AND 90),
  started_at bigint NOT NULL,
  /* Purchases of the mentor are copied from then on: the start, or the latest resumption. */
  copies_from bigint NOT NULL,
  until_at bigint NOT NULL,
  ended_at bigint,
  reason text CHECK (reason IN ('member', 'loss', 'deadline', 'removed')),
  kept boolean NOT NULL DEFAULT false,
  copied integer NOT NULL DEFAULT 0,
  left_out integer NOT NULL DEFAULT 0,
  slippage_cents bigint NOT NULL DEFAULT 0,
  version integer NOT NULL,
  CHECK ((status = 'stopped') = (ended_at IS NOT NULL)),
  CHECK ((status IN ('stopping', 'stopped')) = (reason IS NOT NULL))
);
CREATE INDEX copy_member ON copy (member_id, id DESC);
CREATE UNIQUE INDEX copy_open ON copy (mentor_no, member_id) WHERE status <> 'stopped';

CREATE TABLE copy_act (
  order_no text COLLATE "C" NOT NULL REFERENCES "order" (order_no),
  from_n integer NOT NULL,
  to_n integer NOT NULL CHECK (to_n >= from_n),
  mentor_no text COLLATE "C" NOT NULL REFERENCES mentor (mentor_no),
  at bigint NOT NULL,
  decided_at bigint NOT NULL,
  PRIMARY KEY (order_no, from_n)
);

/* How much of an order of a mentor is still held: its copies are sold down to the same part. */
CREATE TABLE copy_lead (
  order_no text COLLATE "C" PRIMARY KEY REFERENCES "order" (order_no),
  mentor_no text COLLATE "C" NOT NULL REFERENCES mentor (mentor_no),
  keep_lots integer NOT NULL CHECK (keep_lots BETWEEN 0 AND of_lots),
  of_lots integer NOT NULL,
  /* The price of its latest sale. */
  sold_price bigint
);

CREATE TABLE copy_part (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  copy_no text COLLATE "C" NOT NULL REFERENCES copy (copy_no),
  member_id bigint NOT NULL REFERENCES member (id),
  lead_no text COLLATE "C" NOT NULL REFERENCES "order" (order_no),
  from_n integer,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  at bigint NOT NULL,
  code text NOT NULL,
  mentor_price bigint,
  wanted_shares integer NOT NULL,
  shares integer NOT NULL CHECK (shares BETWEEN 0 AND wanted_shares),
  price bigint,
  order_no text COLLATE "C" REFERENCES "order" (order_no),
  left_out text CHECK (left_out IN ('tooSmall', 'amount', 'money', 'debt', 'restricted', 'untradable', 'thin', 'late')),
  slippage_cents bigint NOT NULL,
  CHECK ((side = 'buy') = (from_n IS NOT NULL)),
  CHECK ((order_no IS NULL) = (left_out IS NOT NULL))
);
/* A purchase is copied once to each follower, and an order is the copy of one. */
CREATE UNIQUE INDEX copy_part_once ON copy_part (lead_no, from_n, copy_no) WHERE side = 'buy';
CREATE UNIQUE INDEX copy_part_order ON copy_part (order_no) WHERE side = 'buy' AND order_no IS NOT NULL;
CREATE INDEX copy_part_copy ON copy_part (copy_no, id DESC);
CREATE INDEX copy_part_member ON copy_part (member_id);

SELECT ledger_words_add('"order"', 'order_origin_check', ARRAY['copy']);
SELECT ledger_words_add('"order"', 'order_close_cause_check', ARRAY['copy']);
SELECT ledger_words_add('fill', 'fill_reason_check', ARRAY['shared']);
SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['copy']);
INSERT INTO rule (part, body) VALUES
  ('copy', '{"minimumCents": 10000000, "slipPerMillion": 5000, "followers": 1000, "lateSeconds": 60}');
