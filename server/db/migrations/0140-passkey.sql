/*
 * Passkeys, which sign a member in instead of password and guarantee code, and when a member last signed in on a device that was new to
 * the account.
 */
CREATE TABLE passkey (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  /* Chosen by the authenticator, base64url. */
  credential_id text COLLATE "C" NOT NULL UNIQUE,
  /* The host of the pages that may use it. */
  rp_id text NOT NULL,
  /* COSE. */
  public_key bytea NOT NULL,
  /* Uses counted by the authenticator; 0 where it does not count. */
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL DEFAULT '{}',
  /* Whether the authenticator copies it to the member's other devices. */
  synced boolean NOT NULL,
  name text NOT NULL,
  added_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX passkey_member ON passkey (member_id, id);

ALTER TABLE member
  /* First sign-in: the first device of an account is not a new one. */
  ADD COLUMN signed_in_at bigint,
  ADD COLUMN device_changed_at bigint;
UPDATE member SET signed_in_at = created_at;
