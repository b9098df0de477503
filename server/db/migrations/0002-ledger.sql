/*
 * Money, by double entry. Amounts are cents. Only server/ledger writes here; what must never happen, the database refuses.
 * Tables written with every order have no foreign keys of their own: they are only written under the member's lock row (tally), and
 * a check for every row would cost a sixth of the transaction. Lines are checked against transactions and pockets all at once.
 */
CREATE TABLE pocket (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  /* Null for the house. */
  member_id bigint REFERENCES member (id),
  kind text NOT NULL,
  currency text NOT NULL,
  balance bigint NOT NULL DEFAULT 0,
  CONSTRAINT pocket_kind CHECK (
    CASE WHEN member_id IS NULL THEN kind IN ('fees', 'tax', 'clearing', 'external', 'shortfall')
    ELSE kind IN ('available', 'held', 'collateral', 'profit', 'credit') END
  ),
  /* A member owes nothing; the house's clearing is the rest of the market and may be either way. */
  CONSTRAINT pocket_not_negative CHECK (member_id IS NULL OR balance >= 0),
  CONSTRAINT pocket_once UNIQUE NULLS NOT DISTINCT (member_id, kind, currency)
);

CREATE SEQUENCE ledger_tx_id;
CREATE TABLE ledger_tx (
  id bigint PRIMARY KEY DEFAULT nextval('ledger_tx_id'),
  /* Whose money it moved; null when only the house's. */
  member_id bigint,
  kind text NOT NULL CHECK (kind IN ('deposit', 'hold', 'release', 'buy', 'sell', 'shortOpen', 'shortClose', 'fee', 'tax')),
  order_no text,
  at bigint NOT NULL,
  /* The database transaction it was written in: no entry may join it later. */
  sealed xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX ledger_tx_member ON ledger_tx (member_id, id DESC);

CREATE TABLE entry (
  tx_id bigint NOT NULL,
  line smallint NOT NULL,
  pocket_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  /* The pocket's balance after this line; kept for members' pockets only. */
  balance_after bigint,
  PRIMARY KEY (tx_id, line)
);
CREATE INDEX entry_pocket ON entry (pocket_id, tx_id);

INSERT INTO pocket (member_id, kind, currency)
SELECT NULL, kind, 'TWD' FROM unnest(ARRAY['fees', 'tax', 'clearing', 'external', 'shortfall']) AS kind;

/*
 * The one way into the books. Asked once for all the lines of a statement, which is why a ledger transaction's lines come in one
 * statement: they sum to zero in every currency, or nothing of it is written; they join no transaction written before; and the
 * balances follow from them, and from nothing else. (A deferred row trigger would ask the same at the commit, at ten times the cost.)
 */
CREATE FUNCTION entry_posted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wrong bigint;
BEGIN
  SELECT fresh.tx_id INTO wrong FROM fresh LEFT JOIN pocket ON pocket.id = fresh.pocket_id
  GROUP BY fresh.tx_id, pocket.currency HAVING sum(fresh.amount) <> 0 OR pocket.currency IS NULL LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  SELECT fresh.tx_id INTO wrong FROM fresh LEFT JOIN ledger_tx ON ledger_tx.id = fresh.tx_id
  WHERE ledger_tx.sealed IS DISTINCT FROM pg_current_xact_id() LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction % takes no entries after it was written', wrong USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  UPDATE pocket SET balance = pocket.balance + moved.amount
  FROM (SELECT pocket_id, sum(amount)::bigint AS amount FROM fresh GROUP BY pocket_id) AS moved
  WHERE pocket.id = moved.pocket_id;
  RETURN NULL;
END $$;
CREATE TRIGGER entry_posted AFTER INSERT ON entry REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION entry_posted();

/* What was written stays written. */
CREATE FUNCTION ledger_refuses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is only ever added to: no % on %', TG_OP, TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER ledger_tx_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_tx FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses();
CREATE TRIGGER entry_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON entry FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses();
CREATE TRIGGER pocket_immutable BEFORE DELETE OR TRUNCATE ON pocket FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses();
/* Depth 0 is a statement of its own; the balance is only moved from inside entry_posted. */
CREATE TRIGGER pocket_derived BEFORE UPDATE ON pocket FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses();
CREATE TRIGGER pocket_empty BEFORE INSERT ON pocket FOR EACH ROW WHEN (NEW.balance <> 0) EXECUTE FUNCTION ledger_refuses();

/* Transactions and their lines in one question, column by column; a line names its transaction by its place in the list, from 1. */
CREATE FUNCTION ledger_write(
  p_at bigint, p_members bigint[], p_kinds text[], p_orders text[],
  p_txs integer[], p_lines integer[], p_pockets bigint[], p_amounts bigint[], p_after bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ids bigint[] := ARRAY(SELECT nextval('ledger_tx_id') FROM generate_series(1, cardinality(p_members)));
BEGIN
  INSERT INTO ledger_tx (id, member_id, kind, order_no, at)
  SELECT id, member_id, kind, order_no, p_at FROM unnest(ids, p_members, p_kinds, p_orders) AS t (id, member_id, kind, order_no);
  INSERT INTO entry (tx_id, line, pocket_id, amount, balance_after)
  SELECT ids[tx], line, pocket, amount, after FROM unnest(p_txs, p_lines, p_pockets, p_amounts, p_after) AS t (tx, line, pocket, amount, after);
END $$;
