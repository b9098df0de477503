/*
 * A member's own account: who invited them, how they are reached, their fund password, and restrictions as a set. Several unverified
 * members may claim an ID number; a verified one has it alone.
 */
ALTER TABLE member
  ADD COLUMN mobile text UNIQUE,
  /* YYYY-MM-DD */
  ADD COLUMN birth_date text CHECK (birth_date ~ '^\d{4}-\d{2}-\d{2}$'),
  ADD COLUMN invitation_code text UNIQUE,
  ADD COLUMN invited_by bigint REFERENCES member (id),
  ADD COLUMN fund_password_hash text,
  /* Wrong tries since the last right one, and until when no further one is taken. */
  ADD COLUMN fund_password_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN fund_password_locked_until bigint,
  ADD COLUMN password_changed_at bigint,
  ADD COLUMN fund_password_changed_at bigint,
  ADD COLUMN restrictions text[] NOT NULL DEFAULT '{}'
    CHECK (restrictions <@ ARRAY['loginBanned', 'banned', 'frozen', 'disabled', 'tradeBarred', 'withdrawBarred']);
UPDATE member SET
  restrictions = CASE WHEN state = 'active' THEN '{}' ELSE ARRAY[state] END || CASE WHEN trade_barred THEN ARRAY['tradeBarred'] ELSE '{}' END,
  invitation_code = upper(substr(md5(random()::text || id || clock_timestamp()), 1, 8));
ALTER TABLE member DROP COLUMN state, DROP COLUMN trade_barred;
/* The name comes with the identity. */
ALTER TABLE member ALTER COLUMN name SET DEFAULT '';

ALTER TABLE member DROP CONSTRAINT member_id_number_key;
CREATE UNIQUE INDEX member_verified_id ON member (id_number) WHERE identity = 'verified';
CREATE INDEX member_id_number ON member (id_number);
CREATE INDEX member_invited_by ON member (invited_by) WHERE invited_by IS NOT NULL;

/* The device as the browser names itself, in short, and when the session was last used. */
ALTER TABLE session
  ADD COLUMN device text NOT NULL DEFAULT '',
  ADD COLUMN last_used_at bigint;

ALTER TABLE rule DROP CONSTRAINT rule_part_check;
ALTER TABLE rule ADD CONSTRAINT rule_part_check CHECK (part IN ('trade', 'margin', 'dayTrade', 'account'));
INSERT INTO rule (part, body) VALUES
  ('account', '{"fundPasswordTries": 5, "fundPasswordLockMinutes": 15, "slowHours": 24, "adultYears": 18, "consentYears": 14,
    "identityReviewSeconds": 10, "photoDays": 30}');

CREATE OR REPLACE FUNCTION batch_open(p_members bigint[], p_requests uuid[], p_orders text[], p_placements integer) RETURNS json LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  asked json;
  wanted text[];
BEGIN
  /* In one order everywhere, so that two servers never wait for each other in a circle. */
  PERFORM FROM tally WHERE member_id = ANY (p_members) ORDER BY member_id FOR UPDATE;
  SELECT coalesce(json_agg(had), '[]'), coalesce(array_agg(had.order_no), '{}') INTO asked, wanted
  FROM unnest(p_requests) AS one (id)
  /* The members only filter what the id finds. */
  CROSS JOIN LATERAL (SELECT * FROM request WHERE request_id = one.id AND member_id + 0 = ANY (p_members) OFFSET 0) AS had;
  wanted := p_orders || wanted;
  RETURN json_build_object(
    'people', (
      SELECT coalesce(json_agg(person), '[]') FROM (
        SELECT id, identity, restrictions, fact_n, profit_cents, margin_status, day_signed_at, max_order_cents, daily_loss_cents, locked_until, easing,
          profit_day, day_profit_cents
        FROM member JOIN tally ON tally.member_id = id JOIN trader ON trader.member_id = id WHERE id = ANY (p_members)
      ) AS person
    ),
    'requests', asked,
    'orders', (SELECT coalesce(json_agg("order"), '[]') FROM "order" WHERE cardinality(wanted) > 0 AND order_no = ANY (wanted)),
    'numbers', (SELECT coalesce(json_agg('K' || nextval('order_no')), '[]') FROM generate_series(1, p_placements))
  );
END $$;
