/*
 * Strategies: the runs of members, and what the rules wanted to buy and sell. A run's rule is decided once a trading day: the day is written
 * in the transaction of its orders.
 */
CREATE SEQUENCE strategy_run_no;
CREATE TABLE strategy_run (
  run_no text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL UNIQUE,
  member_id bigint NOT NULL REFERENCES member (id),
  strategy text NOT NULL CHECK (strategy IN ('cross', 'breakout', 'reversion', 'grid', 'volatility', 'rotation', 'learned')),
  code text,
  status text NOT NULL CHECK (status IN ('running', 'paused', 'stopping', 'stopped')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  stop_percent integer NOT NULL CHECK (stop_percent BETWEEN 1 AND 90),
  started_at bigint NOT NULL,
  ended_at bigint,
  reason text CHECK (reason IN ('member', 'loss')),
  kept boolean NOT NULL DEFAULT false,
  /* What the rule wanted last, in thousandths of the amount by code; null before the first decision, and after a resumption. */
  wanted jsonb,
  /* The day it was decided on last, as `taipeiDay` counts. */
  decided_day integer,
  decided_at bigint,
  bought integer NOT NULL DEFAULT 0,
  sold integer NOT NULL DEFAULT 0,
  left_out integer NOT NULL DEFAULT 0,
  version integer NOT NULL,
  CHECK ((status = 'stopped') = (ended_at IS NOT NULL)),
  CHECK ((status IN ('stopping', 'stopped')) = (reason IS NOT NULL))
);
CREATE INDEX strategy_run_member ON strategy_run (member_id, id DESC);
CREATE INDEX strategy_run_open ON strategy_run (id) WHERE status <> 'stopped';
CREATE UNIQUE INDEX strategy_run_once ON strategy_run (member_id, strategy, coalesce(code, '')) WHERE status <> 'stopped';

CREATE TABLE strategy_trade (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_no text COLLATE "C" NOT NULL REFERENCES strategy_run (run_no),
  member_id bigint NOT NULL REFERENCES member (id),
  at bigint NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  code text NOT NULL,
  wanted_lots integer NOT NULL,
  lots integer NOT NULL CHECK (lots BETWEEN 0 AND wanted_lots),
  order_no text COLLATE "C" REFERENCES "order" (order_no),
  left_out text CHECK (left_out IN ('tooSmall', 'amount', 'money', 'debt', 'restricted', 'untradable', 'thin')),
  CHECK ((order_no IS NULL) = (left_out IS NOT NULL))
);
CREATE UNIQUE INDEX strategy_trade_order ON strategy_trade (order_no) WHERE side = 'buy' AND order_no IS NOT NULL;
CREATE INDEX strategy_trade_run ON strategy_trade (run_no, id DESC);
CREATE INDEX strategy_trade_member ON strategy_trade (member_id);

SELECT ledger_words_add('"order"', 'order_origin_check', ARRAY['strategy']);
SELECT ledger_words_add('"order"', 'order_close_cause_check', ARRAY['strategy']);
SELECT ledger_words_add('rule', 'rule_part_check', ARRAY['strategy']);
INSERT INTO rule (part, body) VALUES ('strategy', '{"minimumCents": 10000000, "runs": 10, "limitPerMillion": 5000}');
