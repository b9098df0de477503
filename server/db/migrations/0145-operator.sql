/*
 * What the operator did, and whose data they were shown: only ever added to. A row is written in the transaction of its act.
 */
CREATE TABLE operator_act (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  /* The user of the operating system. */
  who text NOT NULL CHECK (who <> ''),
  command text NOT NULL,
  /* The account or the number that the act is about. */
  subject text NOT NULL,
  /* No personal data: a row can never be erased. */
  before jsonb,
  after jsonb
);
CREATE INDEX operator_act_subject ON operator_act (subject, id DESC);
CREATE FUNCTION operator_acts_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit of the operator is only ever added to: no % on %', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER operator_act_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_act
  FOR EACH STATEMENT EXECUTE FUNCTION operator_acts_append_only();

/* The operator's decision on what is under review; the review applies it, at the next start if no server runs. */
CREATE TABLE review_verdict (
  kind text NOT NULL,
  /* The number of what is decided, unique in its kind. */
  subject text NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('approved', 'rejected')),
  at bigint NOT NULL,
  PRIMARY KEY (kind, subject)
);
