/*
 * Money in nine currencies. Trading stays in TWD: its pockets exist in no other currency. Members' and the broker's pockets of other
 * currencies are created when first needed. `entry_posted` already refuses what does not sum to zero in each currency.
 */
ALTER TABLE pocket ADD CONSTRAINT pocket_currency CHECK (currency IN ('TWD', 'USD', 'CNY', 'HKD', 'THB', 'JPY', 'VND', 'MYR', 'KRW'));
ALTER TABLE pocket DROP CONSTRAINT pocket_kind;
ALTER TABLE pocket ADD CONSTRAINT pocket_kind_member CHECK (
  member_id IS NULL
  OR kind IN ('available', 'held', 'collateral', 'unsettled', 'owing', 'margin', 'debt', 'payout', 'profit', 'futures', 'credit')
);
ALTER TABLE pocket ADD CONSTRAINT pocket_kind_broker CHECK (
  member_id IS NOT NULL
  OR kind IN ('fees', 'tax', 'clearing', 'external', 'shortfall', 'loans', 'interest', 'issuers', 'conversion', 'rewards')
);
ALTER TABLE pocket ADD CONSTRAINT pocket_trading CHECK (
  currency = 'TWD' OR member_id IS NULL OR kind NOT IN ('held', 'collateral', 'unsettled', 'owing', 'margin', 'debt')
);
INSERT INTO pocket (member_id, kind, currency) SELECT NULL, kind, 'TWD' FROM unnest(ARRAY['conversion', 'rewards']) AS kind;
INSERT INTO pocket (member_id, kind, currency) SELECT id, kind, 'TWD' FROM member, unnest(ARRAY['payout', 'futures']) AS kind;

/*
 * Adds words to a CHECK that lists them, and keeps those it has: migrations of several features add kinds of transactions or of pockets
 * without knowing each other's.
 */
CREATE FUNCTION ledger_words_add(p_table regclass, p_constraint text, p_words text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  said text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = p_table AND conname = p_constraint);
  added text := (SELECT string_agg(quote_literal(word) || '::text, ', '') FROM unnest(p_words) AS word);
BEGIN
  IF said IS NULL OR position('ARRAY[' IN said) = 0 THEN
    RAISE EXCEPTION 'no list of words in % of %', p_constraint, p_table;
  END IF;
  EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I %s', p_table, p_constraint, p_constraint, replace(said, 'ARRAY[', 'ARRAY[' || added));
END $$;
SELECT ledger_words_add('ledger_tx', 'ledger_tx_kind_check', ARRAY['conversion', 'transfer']);

/*
 * What came in (plus) or went out (minus) in other currencies than TWD, valued in TWD cents at the mid rate of its moment: valued at
 * today's rate, a change of the rate would look like a deposit.
 */
ALTER TABLE ledger_tx ADD COLUMN paid_in_cents bigint;
CREATE INDEX ledger_tx_paid_in ON ledger_tx (member_id) WHERE paid_in_cents IS NOT NULL;

DROP FUNCTION ledger_write(bigint, bigint[], text[], text[], integer[], integer[], bigint[], bigint[], bigint[]);
CREATE FUNCTION ledger_write(
  p_at bigint, p_members bigint[], p_kinds text[], p_orders text[],
  p_txs integer[], p_lines integer[], p_pockets bigint[], p_amounts bigint[], p_after bigint[], p_paid_in bigint[] DEFAULT NULL
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ids bigint[] := ARRAY(SELECT nextval('ledger_tx_id') FROM generate_series(1, cardinality(p_members)));
BEGIN
  WITH heads AS (
    INSERT INTO ledger_tx (id, member_id, kind, order_no, at, paid_in_cents)
    SELECT id, member_id, kind, order_no, p_at, paid_in
    FROM unnest(ids, p_members, p_kinds, p_orders, p_paid_in) AS t (id, member_id, kind, order_no, paid_in)
  )
  INSERT INTO entry (tx_id, line, pocket_id, amount, balance_after)
  SELECT ids[tx], line, pocket, amount, after FROM unnest(p_txs, p_lines, p_pockets, p_amounts, p_after) AS t (tx, line, pocket, amount, after);
END $$;
