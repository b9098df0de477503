/* Money, by double entry. Amounts are cents. Only server/ledger writes here; what must never happen, the database refuses. */
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
  member_id bigint REFERENCES member (id),
  kind text NOT NULL CHECK (kind IN ('deposit', 'hold', 'release', 'buy', 'sell', 'shortOpen', 'shortClose', 'fee', 'tax')),
  order_no text,
  at bigint NOT NULL,
  /* The database transaction it was written in: no entry may join it later. */
  sealed xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX ledger_tx_member ON ledger_tx (member_id, id DESC);

CREATE TABLE entry (
  tx_id bigint NOT NULL REFERENCES ledger_tx (id),
  line smallint NOT NULL,
  pocket_id bigint NOT NULL REFERENCES pocket (id),
  amount bigint NOT NULL CHECK (amount <> 0),
  /* The pocket's balance after this line; kept for members' pockets only. */
  balance_after bigint,
  PRIMARY KEY (tx_id, line)
);
CREATE INDEX entry_pocket ON entry (pocket_id, tx_id);

INSERT INTO pocket (member_id, kind, currency)
SELECT NULL, kind, 'TWD' FROM unnest(ARRAY['fees', 'tax', 'clearing', 'external', 'shortfall']) AS kind;

/* Balances follow from entries and from nothing else. */
CREATE FUNCTION entry_posted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM fresh JOIN ledger_tx ON ledger_tx.id = fresh.tx_id WHERE ledger_tx.sealed <> pg_current_xact_id()) THEN
    RAISE EXCEPTION 'a ledger transaction takes no entries after it was written' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  UPDATE pocket SET balance = pocket.balance + moved.amount
  FROM (SELECT pocket_id, sum(amount)::bigint AS amount FROM fresh GROUP BY pocket_id) AS moved
  WHERE pocket.id = moved.pocket_id;
  RETURN NULL;
END $$;
CREATE TRIGGER entry_posted AFTER INSERT ON entry REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION entry_posted();

/* Asked when the database transaction commits: what does not sum to zero in every currency takes the whole transaction with it. */
CREATE FUNCTION ledger_tx_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM entry WHERE tx_id = NEW.id) OR EXISTS (
    SELECT FROM entry JOIN pocket ON pocket.id = entry.pocket_id WHERE entry.tx_id = NEW.id GROUP BY pocket.currency HAVING sum(entry.amount) <> 0
  ) THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', NEW.id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_tx_balanced AFTER INSERT ON ledger_tx
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_tx_balanced();

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

/* Transactions and their lines in one question: `[{ member_id, kind, order_no, lines: [[pocket, amount, balance after], …] }, …]`. */
CREATE FUNCTION ledger_write(p_txs json, p_at bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ids bigint[] := ARRAY(SELECT nextval('ledger_tx_id') FROM generate_series(1, json_array_length(p_txs)));
BEGIN
  INSERT INTO ledger_tx (id, member_id, kind, order_no, at)
  SELECT ids[n], (tx ->> 'member_id')::bigint, tx ->> 'kind', tx ->> 'order_no', p_at FROM json_array_elements(p_txs) WITH ORDINALITY AS t (tx, n);
  INSERT INTO entry (tx_id, line, pocket_id, amount, balance_after)
  SELECT ids[n], at_line, (line ->> 0)::bigint, (line ->> 1)::bigint, (line ->> 2)::bigint
  FROM json_array_elements(p_txs) WITH ORDINALITY AS t (tx, n), json_array_elements(tx -> 'lines') WITH ORDINALITY AS l (line, at_line);
END $$;
