/* An order is good for one trading day: when the member last asked for what rests, placed or to be closed. */
ALTER TABLE "order" ADD COLUMN asked_at bigint;
UPDATE "order" SET asked_at = placed_at;
ALTER TABLE "order" ALTER COLUMN asked_at SET NOT NULL;

CREATE OR REPLACE FUNCTION round_write(p_orders json, p_fills json, p_requests json, p_facts json, p_tallies json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "order" SELECT * FROM json_populate_recordset(NULL::"order", p_orders)
  ON CONFLICT (order_no) DO UPDATE SET
    status = excluded.status, lots = excluded.lots, fills = excluded.fills, filled_lots = excluded.filled_lots, closed_lots = excluded.closed_lots,
    closing_lots = excluded.closing_lots, asked_at = excluded.asked_at, close_pricing = excluded.close_pricing, close_price = excluded.close_price,
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
