/*
 * Securities lending: what members took of each borrower's demand, and their loans. Lent and offered lots stay with their order, which
 * counts them and does not sell them.
 */
CREATE TABLE lending_demand (
  demand_id text COLLATE "C" PRIMARY KEY,
  lots integer NOT NULL,
  taken integer NOT NULL CHECK (taken BETWEEN 0 AND lots),
  at bigint NOT NULL
);

CREATE SEQUENCE lending_no;
CREATE TABLE lending (
  lending_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  order_no text COLLATE "C" NOT NULL REFERENCES "order" (order_no),
  code text NOT NULL,
  status text NOT NULL CHECK (status IN ('offered', 'inProgress', 'recalled', 'completed', 'withdrawn')),
  lots integer NOT NULL CHECK (lots >= 0),
  lot_shares integer NOT NULL,
  rate_per_million integer NOT NULL CHECK (rate_per_million > 0),
  broker_per_million integer NOT NULL,
  days integer NOT NULL CHECK (days BETWEEN 1 AND 184),
  notice_days integer NOT NULL,
  demand_id text REFERENCES lending_demand (demand_id),
  reference_price bigint NOT NULL,
  value_cents bigint NOT NULL,
  offered_at bigint NOT NULL,
  started_at bigint,
  /* The fee day at whose beginning the shares are back, and the one through which the fee is counted or the offer was held out. */
  due_day integer,
  fee_day integer NOT NULL,
  recalled_at bigint,
  ended_at bigint,
  reason text CHECK (reason IN ('term', 'recall', 'broker', 'exEvent')),
  fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
  /* The lender's part, paid at the end. */
  paid_cents bigint NOT NULL CHECK (paid_cents BETWEEN 0 AND fee_cents),
  version integer NOT NULL,
  CHECK ((status IN ('offered', 'withdrawn')) = (started_at IS NULL)),
  CHECK ((started_at IS NULL) = (due_day IS NULL)),
  CHECK ((status IN ('completed', 'withdrawn')) = (ended_at IS NOT NULL)),
  CHECK ((status = 'completed') = (reason IS NOT NULL))
);
CREATE INDEX lending_member ON lending (member_id, id DESC);
CREATE INDEX lending_order ON lending (order_no);
CREATE INDEX lending_open ON lending (fee_day, id) WHERE status IN ('offered', 'inProgress', 'recalled');

/* Lots of a position that are offered or on loan: they are held, and not sold. */
ALTER TABLE "order" ADD COLUMN on_loan_lots integer NOT NULL DEFAULT 0 CHECK (on_loan_lots BETWEEN 0 AND filled_lots);
DO $$ BEGIN
  EXECUTE replace(pg_get_functiondef('batch_write(json, json, json, json, json)'::regprocedure),
    'borrow_day = excluded.borrow_day', 'borrow_day = excluded.borrow_day, on_loan_lots = excluded.on_loan_lots');
END $$;

/* How many offers and loans a member has open; the batch reads it with the member, and the loans only of those who have some. */
ALTER TABLE trader ADD COLUMN lends integer NOT NULL DEFAULT 0 CHECK (lends >= 0);
DO $$ BEGIN
  EXECUTE replace(pg_get_functiondef('batch_open(bigint[], uuid[], text[], integer)'::regprocedure),
    'profit_day, day_profit_cents', 'profit_day, day_profit_cents, lends');
END $$;

SELECT ledger_words_add('ledger_tx', 'ledger_tx_kind_check', ARRAY['lendingFee']);
UPDATE rule SET body = body || '{"mostPerMillion": 160000, "noticeDays": 3}' WHERE part = 'lending' AND member_id IS NULL;
