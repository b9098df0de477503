/*
 * Deposits: the channels as rows, what members report to have paid, and the rule of money in and out.
 */
CREATE TABLE deposit_channel (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('transfer', 'counter', 'password', 'usdtTrc20', 'usdtErc20')),
  place integer NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  paid text NOT NULL CHECK (paid IN ('TWD', 'USDT')),
  currency text NOT NULL,
  minimum bigint NOT NULL CHECK (minimum > 0),
  maximum bigint NOT NULL CHECK (maximum >= minimum),
  opens_minute integer NOT NULL DEFAULT 0,
  closes_minute integer NOT NULL DEFAULT 1439,
  needs_proof boolean NOT NULL DEFAULT false,
  needs_password boolean NOT NULL DEFAULT false,
  /* The broker's wallet address; null where the member pays to their own virtual account number. */
  address text
);
INSERT INTO deposit_channel (id, kind, place, paid, currency, minimum, maximum) VALUES
  ('transfer', 'transfer', 1, 'TWD', 'TWD', 100, 5000000),
  ('counter', 'counter', 2, 'TWD', 'TWD', 1000, 2000000);

CREATE SEQUENCE deposit_no;
CREATE TABLE deposit (
  deposit_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  channel_id text NOT NULL REFERENCES deposit_channel (id),
  channel text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'processing', 'credited', 'rejected', 'expired')),
  paid text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  credit_cents bigint NOT NULL CHECK (credit_cents > 0),
  /* Its value in TWD when it was submitted, for the daily limit. */
  home_cents bigint NOT NULL,
  pay_to text NOT NULL,
  tx_hash text UNIQUE,
  proof_id uuid,
  /* SHA-256 of the proof as it was stored. */
  proof_hash text,
  reason text,
  submitted_at bigint NOT NULL,
  received_at bigint,
  ended_at bigint,
  expires_at bigint NOT NULL,
  CHECK ((status = 'rejected') = (reason IS NOT NULL)),
  CHECK ((status IN ('credited', 'rejected', 'expired')) = (ended_at IS NOT NULL))
);
CREATE INDEX deposit_member ON deposit (member_id, id DESC);
/* One on its way at a time. */
CREATE UNIQUE INDEX deposit_open ON deposit (member_id) WHERE status IN ('pending', 'processing');
CREATE INDEX deposit_proof ON deposit (proof_hash) WHERE status = 'credited';

SELECT ledger_words_add('message', 'message_kind', ARRAY['deposit']);
ALTER TABLE message ADD COLUMN deposit jsonb;
ALTER TABLE message ADD CONSTRAINT message_deposit CHECK ((kind = 'deposit') = (deposit IS NOT NULL));

SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['funding']);
INSERT INTO rule (part, body) VALUES
  ('funding', '{"reportSeconds": 5, "bookSeconds": 3, "expirySeconds": 86400, "dailyCents": 1000000000,
    "cryptoSpreadPerMillion": 5000, "quoteSeconds": 60,
    "withdrawMinimumCents": 10000, "withdrawMaximumCents": 500000000, "withdrawOpensMinute": 0, "withdrawClosesMinute": 1439,
    "reviewAfterSeconds": 20, "reviewSeconds": 10, "payoutSeconds": 10, "usualMinutes": 120, "minimumScore": 60,
    "holdingsBlock": ["orders", "futures", "options", "copies", "funds"]}');
