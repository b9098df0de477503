/* TAIEX options: positions, of each series and strike at most one open one a member, and their trades. Money is in the futures wallet. */
CREATE SEQUENCE option_no;
CREATE TABLE option_position (
  position_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  code text COLLATE "C" NOT NULL,
  month text COLLATE "C" NOT NULL,
  option_right text NOT NULL CHECK (option_right IN ('call', 'put')),
  /* In points, lowered by what the index has lost to dividends since the position was opened. */
  strike integer NOT NULL CHECK (strike > 0),
  status text NOT NULL CHECK (status IN ('open', 'called', 'closed', 'liquidated', 'settled', 'expired')),
  /* Negative where sold. */
  lots integer NOT NULL,
  /* In tenths of a point times lots: the premium of the open lots, and their value at the last daily marking. */
  cost_tenths bigint NOT NULL,
  marked_tenths bigint NOT NULL,
  paid_cents bigint NOT NULL,
  fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
  tax_cents bigint NOT NULL CHECK (tax_cents >= 0),
  /* The fee day it is marked for, the one it expires on, and when the index's session of that day opens and closes. */
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
  CHECK (lots <> 0 OR (cost_tenths = 0 AND marked_tenths = 0)),
  CHECK ((status IN ('open', 'called')) = (ended_at IS NULL)),
  CHECK (status <> 'called' OR called_day IS NOT NULL)
);
CREATE INDEX option_position_member ON option_position (member_id, id DESC);
CREATE UNIQUE INDEX option_position_open ON option_position (member_id, code, strike) WHERE status IN ('open', 'called');

CREATE TABLE option_trade (
  id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  position_no text COLLATE "C" NOT NULL REFERENCES option_position (position_no) DEFERRABLE INITIALLY DEFERRED,
  code text COLLATE "C" NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  lots integer NOT NULL CHECK (lots > 0),
  /* In tenths of a point; 0 only at expiry. */
  price integer NOT NULL CHECK (price > 0 OR (price = 0 AND cause = 'settlement')),
  cause text NOT NULL CHECK (cause IN ('member', 'liquidation', 'settlement')),
  gain_cents bigint NOT NULL,
  fee_cents bigint NOT NULL,
  tax_cents bigint NOT NULL,
  at bigint NOT NULL,
  fee_day integer NOT NULL
);
CREATE INDEX option_trade_member ON option_trade (member_id, id DESC);
CREATE INDEX option_trade_day ON option_trade (member_id, fee_day);

SELECT ledger_words_add('pocket', 'pocket_kind_broker', ARRAY['optionsClearing']);
INSERT INTO pocket (member_id, kind, currency) VALUES (NULL, 'optionsClearing', 'TWD');
SELECT ledger_words_add('ledger_tx', 'ledger_tx_kind_check', ARRAY['optionTrade']);
