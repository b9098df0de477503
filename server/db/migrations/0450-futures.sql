/* Index futures: positions, of each contract at most one open one a member, and their trades. Money is in the futures wallet. */
CREATE SEQUENCE futures_no;
CREATE TABLE futures_position (
  position_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  code text COLLATE "C" NOT NULL,
  product text NOT NULL CHECK (product IN ('TX', 'MTX', 'TMF')),
  status text NOT NULL CHECK (status IN ('open', 'called', 'closed', 'liquidated', 'settled')),
  /* Negative for a short position. */
  lots integer NOT NULL,
  /* In points times lots: what the open lots cost, and what of their value is settled. */
  cost_points bigint NOT NULL,
  marked_points bigint NOT NULL,
  paid_cents bigint NOT NULL,
  fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
  tax_cents bigint NOT NULL CHECK (tax_cents >= 0),
  /* The fee day it is settled for, the one it expires on, and when the index's session of that day opens and closes. */
  mark_day integer NOT NULL,
  expiry_day integer NOT NULL,
  expiry_opens_at bigint NOT NULL,
  expiry_closes_at bigint NOT NULL,
  /* The fee day whose beginning brought the call. */
  called_day integer,
  opened_at bigint NOT NULL,
  ended_at bigint,
  version integer NOT NULL,
  CHECK ((status IN ('open', 'called')) = (lots <> 0)),
  CHECK (lots <> 0 OR (cost_points = 0 AND marked_points = 0)),
  CHECK ((status IN ('open', 'called')) = (ended_at IS NULL)),
  CHECK (status <> 'called' OR called_day IS NOT NULL)
);
CREATE INDEX futures_position_member ON futures_position (member_id, id DESC);
CREATE UNIQUE INDEX futures_position_open ON futures_position (member_id, code) WHERE status IN ('open', 'called');

CREATE TABLE futures_trade (
  id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  position_no text COLLATE "C" NOT NULL REFERENCES futures_position (position_no) DEFERRABLE INITIALLY DEFERRED,
  code text COLLATE "C" NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  lots integer NOT NULL CHECK (lots > 0),
  price integer NOT NULL CHECK (price > 0),
  cause text NOT NULL CHECK (cause IN ('member', 'liquidation', 'settlement')),
  gain_cents bigint NOT NULL,
  fee_cents bigint NOT NULL,
  tax_cents bigint NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX futures_trade_member ON futures_trade (member_id, id DESC);
CREATE INDEX futures_trade_day ON futures_trade (member_id, at);

SELECT ledger_words_add('pocket', 'pocket_kind_broker', ARRAY['futuresClearing']);
INSERT INTO pocket (member_id, kind, currency) VALUES (NULL, 'futuresClearing', 'TWD');
SELECT ledger_words_add('ledger_tx', 'ledger_tx_kind_check', ARRAY['futuresTrade', 'futuresMark']);
