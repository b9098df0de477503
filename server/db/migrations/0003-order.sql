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
  /* Executions so far. */
  fills integer NOT NULL,
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
  member_id bigint NOT NULL,
  request_id uuid NOT NULL,
  endpoint text NOT NULL,
  body_hash text NOT NULL,
  order_no text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (member_id, request_id)
);

/* What happened to a member, 1, 2, 3 … without gaps. */
CREATE TABLE fact (
  member_id bigint NOT NULL,
  n bigint NOT NULL,
  at bigint NOT NULL,
  type text NOT NULL,
  body jsonb NOT NULL,
  PRIMARY KEY (member_id, n)
);

/*
 * The two calls of a round (server/desks/order/round.ts): everything some commands need in one answer, everything they did in
 * one question. Inside a function PostgreSQL keeps its plans, which is most of what a small transaction costs.
 */
CREATE FUNCTION round_open(p_members bigint[], p_requests uuid[], p_orders text[], p_placements integer) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  asked json;
  wanted text[];
BEGIN
  /* In one order everywhere, so that two servers never wait for each other in a circle. */
  PERFORM FROM tally WHERE member_id = ANY (p_members) ORDER BY member_id FOR UPDATE;
  SELECT coalesce(json_agg(request), '[]'), coalesce(array_agg(order_no), '{}') INTO asked, wanted
  FROM request WHERE member_id = ANY (p_members) AND request_id = ANY (p_requests);
  wanted := p_orders || wanted;
  RETURN json_build_object(
    'people', (
      SELECT coalesce(json_agg(person), '[]') FROM (
        SELECT id, identity, trade_barred, fact_n, profit_cents FROM member JOIN tally ON member_id = id WHERE id = ANY (p_members)
      ) AS person
    ),
    'requests', asked,
    'orders', (SELECT coalesce(json_agg("order"), '[]') FROM "order" WHERE cardinality(wanted) > 0 AND order_no = ANY (wanted)),
    'numbers', (SELECT coalesce(json_agg('K' || nextval('order_no')), '[]') FROM generate_series(1, p_placements))
  );
END $$;

CREATE FUNCTION round_write(p_orders json, p_fills json, p_requests json, p_facts json, p_tallies json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "order" SELECT * FROM json_populate_recordset(NULL::"order", p_orders)
  ON CONFLICT (order_no) DO UPDATE SET
    status = excluded.status, lots = excluded.lots, fills = excluded.fills, filled_lots = excluded.filled_lots, closed_lots = excluded.closed_lots,
    closing_lots = excluded.closing_lots, close_pricing = excluded.close_pricing, close_price = excluded.close_price,
    bought_at = excluded.bought_at, sold_at = excluded.sold_at, locked_until = excluded.locked_until,
    open_cents = excluded.open_cents, open_fee_cents = excluded.open_fee_cents, open_tax_cents = excluded.open_tax_cents,
    close_cents = excluded.close_cents, close_fee_cents = excluded.close_fee_cents, close_tax_cents = excluded.close_tax_cents,
    held_cents = excluded.held_cents, collateral_cents = excluded.collateral_cents, pledged_cents = excluded.pledged_cents,
    profit_cents = excluded.profit_cents, version = excluded.version;
  INSERT INTO fill SELECT * FROM json_populate_recordset(NULL::fill, p_fills);
  INSERT INTO request SELECT * FROM json_populate_recordset(NULL::request, p_requests);
  INSERT INTO fact SELECT * FROM json_populate_recordset(NULL::fact, p_facts);
  UPDATE tally SET fact_n = counted.fact_n, profit_cents = counted.profit_cents
  FROM json_populate_recordset(NULL::tally, p_tallies) AS counted WHERE tally.member_id = counted.member_id;
END $$;
