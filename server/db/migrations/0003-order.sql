/* Orders, their executions, what was asked, and what happened. Prices are ten-thousandths, money is cents, times are epoch milliseconds. */

/* One row a member: the lock every command on the member's account takes first, and the two running counts it keeps. */
CREATE TABLE tally (
  member_id bigint PRIMARY KEY REFERENCES member (id),
  fact_n bigint NOT NULL DEFAULT 0,
  profit_cents bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE SEQUENCE order_no START 100000000001;
CREATE TABLE "order" (
  order_no text COLLATE "C" PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  request_id uuid NOT NULL,
  code text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL CONSTRAINT order_status CHECK (status IN ('pending', 'holding', 'readyToClose', 'closed', 'cancelled')),
  direction text NOT NULL CHECK (direction IN ('rise', 'fall')),
  pricing text NOT NULL CHECK (pricing IN ('market', 'limit')),
  price bigint,
  /* The price the hold was counted for; a buy never pays more. Null where nothing bounds it. */
  bound_price bigint,
  currency text NOT NULL,
  lots integer NOT NULL CHECK (lots > 0),
  lot_shares integer NOT NULL CHECK (lot_shares > 0),
  leverage integer NOT NULL,
  lock_seconds integer NOT NULL,
  /* Put under lock and key by the operator. */
  locked boolean NOT NULL DEFAULT false,
  filled_lots integer NOT NULL,
  closed_lots integer NOT NULL,
  closing_lots integer NOT NULL,
  close_pricing text CHECK (close_pricing IN ('market', 'limit')),
  close_price bigint,
  placed_at bigint NOT NULL,
  bought_at bigint,
  sold_at bigint,
  locked_until bigint,
  open_cents bigint NOT NULL,
  open_fee_cents bigint NOT NULL,
  open_tax_cents bigint NOT NULL,
  close_cents bigint NOT NULL,
  close_fee_cents bigint NOT NULL,
  close_tax_cents bigint NOT NULL,
  held_cents bigint NOT NULL CHECK (held_cents >= 0),
  collateral_cents bigint NOT NULL CHECK (collateral_cents >= 0),
  /* All collateral put up on opening; a closed part takes its share along. */
  pledged_cents bigint NOT NULL CHECK (pledged_cents >= collateral_cents),
  profit_cents bigint NOT NULL,
  version integer NOT NULL,
  CHECK (filled_lots BETWEEN 0 AND lots),
  CHECK (closed_lots >= 0 AND closing_lots >= 0 AND closed_lots + closing_lots <= filled_lots),
  CHECK ((closing_lots > 0) = (status = 'readyToClose'))
) WITH (fillfactor = 70);
CREATE INDEX order_member ON "order" (member_id, order_no DESC);
CREATE INDEX order_open ON "order" (member_id, order_no DESC) WHERE status IN ('holding', 'readyToClose');
CREATE INDEX order_resting ON "order" (order_no) WHERE status IN ('pending', 'readyToClose');

CREATE TABLE fill (
  order_no text COLLATE "C" NOT NULL REFERENCES "order" (order_no),
  n integer NOT NULL,
  member_id bigint NOT NULL,
  side text NOT NULL CHECK (side IN ('open', 'close')),
  at bigint NOT NULL,
  price bigint NOT NULL,
  lots integer NOT NULL CHECK (lots > 0),
  fee_cents bigint NOT NULL,
  tax_cents bigint NOT NULL,
  reason text NOT NULL CHECK (reason IN ('bookLevel', 'limitOrBetter')),
  level integer NOT NULL,
  best bigint NOT NULL,
  /* Realised by this execution; 0 on opening. */
  profit_cents bigint NOT NULL,
  PRIMARY KEY (order_no, n)
);
CREATE INDEX fill_member ON fill (member_id, at) WHERE side = 'close';

/* Every command that acted, by the client's own id for it: the same id never acts twice. */
CREATE TABLE request (
  member_id bigint NOT NULL REFERENCES member (id),
  request_id uuid NOT NULL,
  endpoint text NOT NULL,
  body_hash text NOT NULL,
  order_no text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (member_id, request_id)
);

/* What happened to a member, 1, 2, 3 … without gaps. */
CREATE TABLE fact (
  member_id bigint NOT NULL REFERENCES member (id),
  n bigint NOT NULL,
  at bigint NOT NULL,
  type text NOT NULL,
  body jsonb NOT NULL,
  PRIMARY KEY (member_id, n)
);
