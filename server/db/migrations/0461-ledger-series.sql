/* The future or the option series that a movement of money is of, so that premiums, fees, taxes and settlements can be reconciled with it. Older ones name none. */
ALTER TABLE ledger_tx ADD COLUMN series text COLLATE "C";

DROP FUNCTION ledger_write(bigint, bigint[], text[], text[], integer[], integer[], bigint[], bigint[], bigint[], bigint[]);
CREATE FUNCTION ledger_write(
  p_at bigint, p_members bigint[], p_kinds text[], p_orders text[],
  p_txs integer[], p_lines integer[], p_pockets bigint[], p_amounts bigint[], p_after bigint[], p_paid_in bigint[] DEFAULT NULL,
  p_series text[] DEFAULT NULL
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ids bigint[] := ARRAY(SELECT nextval('ledger_tx_id') FROM generate_series(1, cardinality(p_members)));
BEGIN
  WITH heads AS (
    INSERT INTO ledger_tx (id, member_id, kind, order_no, at, paid_in_cents, series)
    SELECT id, member_id, kind, order_no, p_at, paid_in, series
    FROM unnest(ids, p_members, p_kinds, p_orders, p_paid_in, p_series) AS t (id, member_id, kind, order_no, paid_in, series)
  )
  INSERT INTO entry (tx_id, line, pocket_id, amount, balance_after)
  SELECT ids[tx], line, pocket, amount, after FROM unnest(p_txs, p_lines, p_pockets, p_amounts, p_after) AS t (tx, line, pocket, amount, after);
END $$;
