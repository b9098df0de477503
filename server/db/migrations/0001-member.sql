/* Who may sign in, their sessions, what they follow, and the house's settings. Times are epoch milliseconds. */
CREATE TABLE member (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account text NOT NULL UNIQUE,
  id_number text NOT NULL UNIQUE,
  name text NOT NULL,
  password_hash text NOT NULL,
  guarantee_hash text NOT NULL,
  identity text NOT NULL DEFAULT 'unverified' CHECK (identity IN ('unverified', 'underReview', 'verified', 'rejected')),
  /* What keeps a member from signing in; each word has its refusal. */
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'loginBanned', 'banned', 'frozen', 'disabled')),
  trade_barred boolean NOT NULL DEFAULT false,
  credit_score integer NOT NULL DEFAULT 100,
  created_at bigint NOT NULL
);

CREATE TABLE session (
  /* SHA-256 of the token, hex: the token itself is never stored. */
  hash text PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  address text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  revoked_at bigint
);
CREATE INDEX session_member ON session (member_id);
CREATE INDEX session_expiry ON session (expires_at);

CREATE TABLE watchlist (
  member_id bigint NOT NULL REFERENCES member (id),
  code text NOT NULL,
  place integer NOT NULL,
  added_at bigint NOT NULL,
  PRIMARY KEY (member_id, code)
);

CREATE TABLE setting (
  name text PRIMARY KEY,
  value text NOT NULL,
  /* Whether the configuration call tells it to everyone. */
  open boolean NOT NULL
);
