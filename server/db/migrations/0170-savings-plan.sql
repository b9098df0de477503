/*
 * Regular savings plans and their months. A plan's next purchase is due at `next_at`; each month is decided once, in the transaction that
 * moves `next_at` on.
 */
CREATE SEQUENCE savings_plan_no;
CREATE TABLE savings_plan (
  plan_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  code text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'paused', 'ended')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  day integer NOT NULL CHECK (day BETWEEN 1 AND 31),
  next_at bigint,
  /* The month that is due then, and the last one decided: no month is decided twice, whatever the member changes. */
  next_month text,
  last_month text,
  ordered_runs integer NOT NULL,
  skipped_runs integer NOT NULL,
  started_at bigint NOT NULL,
  ended_at bigint,
  version integer NOT NULL,
  CHECK ((status = 'active') = (next_at IS NOT NULL)),
  CHECK ((next_at IS NULL) = (next_month IS NULL)),
  CHECK ((status = 'ended') = (ended_at IS NOT NULL))
);
CREATE INDEX savings_plan_member ON savings_plan (member_id, id DESC);
CREATE INDEX savings_plan_due ON savings_plan (next_at, id) WHERE status = 'active';

CREATE TABLE savings_run (
  plan_no text COLLATE "C" NOT NULL REFERENCES savings_plan (plan_no),
  month text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  due_at bigint NOT NULL,
  at bigint NOT NULL,
  amount_cents bigint NOT NULL,
  skipped text CHECK (skipped IN ('money', 'debt', 'restricted', 'untradable', 'tooSmall', 'missed')),
  order_nos text[] NOT NULL,
  PRIMARY KEY (plan_no, month),
  CHECK ((skipped IS NULL) = (order_nos <> '{}'))
);
CREATE INDEX savings_run_member ON savings_run (member_id, id DESC);

/* The list of origins becomes one that words can be added to. */
DO $$ BEGIN
  IF position('ARRAY[' IN (
    SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = '"order"'::regclass AND conname = 'order_origin_check'
  )) = 0 THEN
    ALTER TABLE "order" DROP CONSTRAINT order_origin_check;
    ALTER TABLE "order" ADD CONSTRAINT order_origin_check CHECK (origin IN ('block', 'raise', 'savings'));
  ELSE
    PERFORM ledger_words_add('"order"', 'order_origin_check', ARRAY['raise', 'savings']);
  END IF;
END $$;

SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['raise', 'savings']);
INSERT INTO rule (part, body) VALUES
  ('savings', '{"minimumCents": 100000, "plans": 20, "limitPerMillion": 10000}'),
  ('raise', '{"minimumCents": 1500000, "feePerMillion": 1000, "feeMinimumCents": 2000, "memberPerMillion": 100000, "minimumSizePerMillion": 400000}');
