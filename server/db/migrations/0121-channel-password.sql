/*
 * A channel that asks for the member's own channel password.
 */
ALTER TABLE member
  ADD COLUMN channel_password_hash text,
  ADD COLUMN channel_password_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN channel_password_wait_until bigint;
INSERT INTO deposit_channel (id, kind, place, paid, currency, minimum, maximum, needs_proof, needs_password) VALUES
  ('password', 'password', 3, 'TWD', 'TWD', 100, 1000000, true, true);
UPDATE rule SET body = '{"channelPasswordTries": 5, "channelPasswordWaitMinutes": 5}'::jsonb || body WHERE part = 'funding' AND member_id IS NULL;
