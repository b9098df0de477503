/*
 * Credit: every change of a member's score is a row, and loans are paid into the member's wallet. What is owed on loans is kept beside
 * the member as well, because every order on collateral asks for it.
 */
SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['credit']);
INSERT INTO rule (part, body) VALUES
  ('credit', '{"startScore": 80,
    "bands": [
      {"score": 90, "percent": 50, "mostCents": 300000000}, {"score": 80, "percent": 40, "mostCents": 200000000},
      {"score": 70, "percent": 25, "mostCents": 100000000}, {"score": 60, "percent": 10, "mostCents": 30000000},
      {"score": 0, "percent": 0, "mostCents": 0}],
    "leastCents": 1000000, "termDays": [7, 30, 90], "interestPerMillion": 60000, "offerMinutes": 30, "graceDays": 3,
    "overduePoints": 10, "pointCentDays": 300000000, "monthlyPoints": 3, "streakDays": 30, "streakPoints": 1}');

/* A new member starts with the score of the rule. */
CREATE FUNCTION credit_start() RETURNS integer LANGUAGE sql STABLE AS
  $$ SELECT (body ->> 'startScore')::integer FROM rule WHERE part = 'credit' AND member_id IS NULL ORDER BY id LIMIT 1 $$;
ALTER TABLE member ALTER COLUMN credit_score SET DEFAULT credit_start();
ALTER TABLE member ADD CONSTRAINT member_credit_score CHECK (credit_score BETWEEN 0 AND 100);

CREATE TABLE credit_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  at bigint NOT NULL,
  points integer NOT NULL CHECK (points <> 0),
  /* After the change. */
  score integer NOT NULL CHECK (score BETWEEN 0 AND 100),
  reason text NOT NULL CHECK (reason IN ('loanRepaid', 'loanOverdue', 'paymentFailed', 'winWaived', 'checkInStreak')),
  loan_no text
);
CREATE INDEX credit_change_of_member ON credit_change (member_id, id DESC);

CREATE SEQUENCE loan_no;
CREATE TABLE loan (
  loan_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  status text NOT NULL CHECK (status IN ('offered', 'signed', 'drawn', 'overdue', 'repaid', 'lapsed')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  term_days integer NOT NULL,
  interest_per_million integer NOT NULL,
  offered_at bigint NOT NULL,
  signed_at bigint,
  drawn_at bigint,
  /* The last day to pay it back, as a Taipei day number. */
  due_day integer,
  principal_cents bigint NOT NULL DEFAULT 0 CHECK (principal_cents >= 0),
  interest_cents bigint NOT NULL DEFAULT 0 CHECK (interest_cents >= 0),
  paid_interest_cents bigint NOT NULL DEFAULT 0,
  /* Interest is counted up to this Taipei day. */
  interest_day integer,
  /* What was paid back, times the days it was borrowed: the score gains by it. */
  cent_days bigint NOT NULL DEFAULT 0,
  overdue_at bigint,
  repaid_at bigint,
  points integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 0,
  CONSTRAINT loan_owed CHECK ((status IN ('drawn', 'overdue')) = (principal_cents + interest_cents > 0))
);
CREATE INDEX loan_of_member ON loan (member_id, id DESC);
CREATE INDEX loan_unpaid ON loan (due_day) WHERE status IN ('drawn', 'overdue');

/* When the member first signed the loan agreement, and what all their loans owe now, interest included. */
ALTER TABLE trader ADD COLUMN loan_signed_at bigint;
ALTER TABLE trader ADD COLUMN credit_cents bigint NOT NULL DEFAULT 0 CHECK (credit_cents >= 0);
/* The batch reads it with the member. */
DO $$ BEGIN
  EXECUTE replace(pg_get_functiondef('batch_open(bigint[], uuid[], text[], integer)'::regprocedure),
    'profit_day, day_profit_cents', 'profit_day, day_profit_cents, credit_cents');
END $$;

SELECT ledger_words_add('ledger_tx', 'ledger_tx_kind_check', ARRAY['loanDraw', 'loanRepay']);
SELECT ledger_words_add('message', 'message_kind', ARRAY['loan']);
ALTER TABLE message ADD COLUMN loan jsonb;
ALTER TABLE message ADD CONSTRAINT message_loan CHECK ((kind = 'loan') = (loan IS NOT NULL));
