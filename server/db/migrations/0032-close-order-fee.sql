/*
 * The minimum commission counts once an order sent to the market. An order keeps what the fills of its latest close order are worth and the
 * fee they paid; of a close that is in the market now, these are its fills since it was asked for.
 */
ALTER TABLE "order"
  ADD COLUMN closing_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN closing_fee_cents bigint NOT NULL DEFAULT 0;
UPDATE "order" SET closing_cents = filled.value_cents, closing_fee_cents = filled.fee_cents
FROM (
  SELECT fill.order_no, sum(fill.price * fill.lots * "order".lot_shares / 100) AS value_cents, sum(fill.fee_cents) AS fee_cents
  FROM fill JOIN "order" ON "order".order_no = fill.order_no
  WHERE "order".status = 'readyToClose' AND fill.side = 'close' AND fill.at >= "order".asked_at
  GROUP BY fill.order_no
) AS filled
WHERE "order".order_no = filled.order_no;

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
    closing_cents = excluded.closing_cents, closing_fee_cents = excluded.closing_fee_cents,
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
