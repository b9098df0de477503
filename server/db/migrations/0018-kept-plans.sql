/*
 * PostgreSQL keeps the plans of a function from its first calls on, when the tables are still empty and reading them whole is cheapest:
 * later every order paid for all orders before it. These functions look everything up by its key, whatever the tables look like; a plan
 * made anew for each call guesses wrong in turn, and costs more than it saves.
 */

/* A command is found by its own id alone, which no two members share but by design: one look-up, however many members are asked for. */
ALTER TABLE request DROP CONSTRAINT request_pkey, ADD PRIMARY KEY (request_id, member_id);

CREATE OR REPLACE FUNCTION round_open(p_members bigint[], p_requests uuid[], p_orders text[], p_placements integer) RETURNS json LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  asked json;
  wanted text[];
BEGIN
  /* In one order everywhere, so that two servers never wait for each other in a circle. */
  PERFORM FROM tally WHERE member_id = ANY (p_members) ORDER BY member_id FOR UPDATE;
  SELECT coalesce(json_agg(had), '[]'), coalesce(array_agg(had.order_no), '{}') INTO asked, wanted
  FROM unnest(p_requests) AS one (id)
  /* The members only filter what the id finds. */
  CROSS JOIN LATERAL (SELECT * FROM request WHERE request_id = one.id AND member_id + 0 = ANY (p_members) OFFSET 0) AS had;
  wanted := p_orders || wanted;
  RETURN json_build_object(
    'people', (
      SELECT coalesce(json_agg(person), '[]') FROM (
        SELECT id, identity, trade_barred, fact_n, profit_cents, margin_status, day_signed_at, max_order_cents, daily_loss_cents, locked_until, easing,
          profit_day, day_profit_cents
        FROM member JOIN tally ON tally.member_id = id JOIN trader ON trader.member_id = id WHERE id = ANY (p_members)
      ) AS person
    ),
    'requests', asked,
    'orders', (SELECT coalesce(json_agg("order"), '[]') FROM "order" WHERE cardinality(wanted) > 0 AND order_no = ANY (wanted)),
    'numbers', (SELECT coalesce(json_agg('K' || nextval('order_no')), '[]') FROM generate_series(1, p_placements))
  );
END $$;

CREATE OR REPLACE FUNCTION entry_posted() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  wrong bigint;
BEGIN
  SELECT fresh.tx_id INTO wrong FROM fresh LEFT JOIN pocket ON pocket.id = fresh.pocket_id
  GROUP BY fresh.tx_id, pocket.currency HAVING sum(fresh.amount) <> 0 OR pocket.currency IS NULL LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  SELECT fresh.tx_id INTO wrong FROM fresh
  WHERE (SELECT sealed FROM ledger_tx WHERE ledger_tx.id = fresh.tx_id) IS DISTINCT FROM pg_current_xact_id() LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction % takes no entries after it was written', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  UPDATE pocket SET balance = pocket.balance + moved.amount
  FROM (SELECT pocket_id, sum(amount)::bigint AS amount FROM fresh GROUP BY pocket_id) AS moved
  WHERE pocket.id = moved.pocket_id;
  RETURN NULL;
END $$;

ALTER FUNCTION ledger_tx_posted() SET enable_seqscan = off;
ALTER FUNCTION ledger_tx_posted() SET enable_bitmapscan = off;
ALTER FUNCTION ledger_tx_posted() SET enable_hashjoin = off;
ALTER FUNCTION ledger_tx_posted() SET enable_mergejoin = off;
