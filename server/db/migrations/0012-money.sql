/*
 * Money around positions: what closed lots carried away, the day's realised profit, reviews of margin, settlement; and a ledger
 * transaction without lines is refused as well.
 */

/* Dividends less interest of the lots that are closed: the part of the realised profit that no price explains. */
ALTER TABLE "order" ADD COLUMN carried_cents bigint NOT NULL DEFAULT 0;
CREATE INDEX order_day_trade ON "order" (order_no) WHERE day_trade AND status IN ('pending', 'holding', 'readyToClose');

/* The house reviews an application after a while, and approves accounts old enough and in good standing. */
UPDATE rule SET body = body || '{"reviewSeconds": 5, "accountDays": 90, "minimumScore": 60}' WHERE part = 'margin' AND member_id IS NULL;

/*
 * Lines and the transaction they belong to come in one statement: asked once for all of it, like the sum. A statement's own rows are
 * all there when its triggers ask.
 */
CREATE FUNCTION ledger_tx_posted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  empty bigint;
BEGIN
  SELECT id INTO empty FROM fresh WHERE NOT EXISTS (SELECT FROM entry WHERE entry.tx_id = fresh.id) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction % has no entries', empty USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_tx_posted AFTER INSERT ON ledger_tx REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION ledger_tx_posted();

CREATE OR REPLACE FUNCTION ledger_write(
  p_at bigint, p_members bigint[], p_kinds text[], p_orders text[],
  p_txs integer[], p_lines integer[], p_pockets bigint[], p_amounts bigint[], p_after bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ids bigint[] := ARRAY(SELECT nextval('ledger_tx_id') FROM generate_series(1, cardinality(p_members)));
BEGIN
  WITH heads AS (
    INSERT INTO ledger_tx (id, member_id, kind, order_no, at)
    SELECT id, member_id, kind, order_no, p_at FROM unnest(ids, p_members, p_kinds, p_orders) AS t (id, member_id, kind, order_no)
  )
  INSERT INTO entry (tx_id, line, pocket_id, amount, balance_after)
  SELECT ids[tx], line, pocket, amount, after FROM unnest(p_txs, p_lines, p_pockets, p_amounts, p_after) AS t (tx, line, pocket, amount, after);
END $$;

CREATE OR REPLACE FUNCTION round_write(p_orders json, p_fills json, p_requests json, p_facts json, p_tallies json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "order" SELECT * FROM json_populate_recordset(NULL::"order", p_orders)
  ON CONFLICT (order_no) DO UPDATE SET
    status = excluded.status, pricing = excluded.pricing, price = excluded.price, bound_price = excluded.bound_price,
    lots = excluded.lots, lot_shares = excluded.lot_shares, fills = excluded.fills, filled_lots = excluded.filled_lots,
    closed_lots = excluded.closed_lots, closing_lots = excluded.closing_lots, asked_at = excluded.asked_at, turn = excluded.turn,
    day_trade = excluded.day_trade, terms = excluded.terms, trigger_kind = excluded.trigger_kind, trigger_price = excluded.trigger_price,
    close_pricing = excluded.close_pricing, close_price = excluded.close_price, close_market = excluded.close_market,
    close_validity = excluded.close_validity, close_cause = excluded.close_cause,
    bought_at = excluded.bought_at, sold_at = excluded.sold_at, locked_until = excluded.locked_until,
    open_cents = excluded.open_cents, open_fee_cents = excluded.open_fee_cents, open_tax_cents = excluded.open_tax_cents,
    close_cents = excluded.close_cents, close_fee_cents = excluded.close_fee_cents, close_tax_cents = excluded.close_tax_cents,
    held_cents = excluded.held_cents, collateral_cents = excluded.collateral_cents, pledged_cents = excluded.pledged_cents,
    lent_cents = excluded.lent_cents, loan_cents = excluded.loan_cents, interest_cents = excluded.interest_cents,
    interest_day = excluded.interest_day, dividend_cents = excluded.dividend_cents, carried_cents = excluded.carried_cents,
    profit_cents = excluded.profit_cents, version = excluded.version;
  INSERT INTO fill SELECT * FROM json_populate_recordset(NULL::fill, p_fills);
  INSERT INTO request SELECT * FROM json_populate_recordset(NULL::request, p_requests);
  INSERT INTO fact SELECT * FROM json_populate_recordset(NULL::fact, p_facts);
  UPDATE tally SET fact_n = counted.fact_n, profit_cents = counted.profit_cents
  FROM json_populate_recordset(NULL::tally, p_tallies) AS counted WHERE tally.member_id = counted.member_id;
  UPDATE trader SET profit_day = counted.profit_day, day_profit_cents = counted.day_profit_cents
  FROM json_populate_recordset(NULL::trader, p_tallies) AS counted
  WHERE trader.member_id = counted.member_id
    AND (trader.profit_day, trader.day_profit_cents) <> (counted.profit_day, counted.day_profit_cents);
END $$;
