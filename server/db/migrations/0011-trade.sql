/*
 * Trading in full: rules as data, terms kept on every order, odd lots and auctions, waiting orders and conditions, margin and leverage,
 * day trading, a member's own risk controls, later settlement, corporate actions on positions, and the account over time.
 */

/* Rules: the base, and exceptions by board, kind, code and member, a later one before an earlier one. Rates are parts per million, money is cents. */
CREATE TABLE rule (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  /* Of one of the contract's parts: `trade` may be an exception, `margin` and `dayTrade` are whole. */
  part text NOT NULL CHECK (part IN ('trade', 'margin', 'dayTrade')),
  board text,
  kind text,
  code text,
  member_id bigint REFERENCES member (id),
  body jsonb NOT NULL
);
INSERT INTO rule (part, board, kind, body) VALUES
  ('trade', NULL, NULL, '{"feePerMillion": 1425, "feeMinimumCents": 2000, "oddFeeMinimumCents": 100, "taxPerMillion": 3000, "dayTaxPerMillion": 1500,
    "shortPerMillion": 900000, "maxLots": 499, "maxOddShares": 999, "minimumCents": 100000, "lockSeconds": null, "closedDays": 0, "multiples": [1, 2, 3],
    "loanPerMillion": 600000, "marginShortPerMillion": 900000, "interestPerMillion": 65000, "settlementDays": 0}'),
  ('trade', NULL, 'preferred', '{"multiples": [1]}'),
  ('trade', NULL, 'etf', '{"taxPerMillion": 1000, "dayTaxPerMillion": 1000, "multiples": [1, 2, 3, 5]}'),
  ('trade', NULL, 'etn', '{"taxPerMillion": 1000, "dayTaxPerMillion": 1000, "multiples": [1]}'),
  ('trade', NULL, 'tdr', '{"taxPerMillion": 1000, "dayTaxPerMillion": 1000, "multiples": [1]}'),
  ('trade', NULL, 'reit', '{"taxPerMillion": 0, "dayTaxPerMillion": 0, "multiples": [1]}'),
  ('margin', NULL, NULL, '{"callPercent": 130, "clearedPercent": 166, "graceDays": 2}'),
  ('dayTrade', NULL, NULL, '{"minimumOrders": 10, "accountDays": 90, "squareOffSeconds": 300, "warningPercent": 5}');

/* New pockets: sale proceeds that are not settled, purchase money not yet paid out, margin added on a call; and the house's other side of them. */
ALTER TABLE pocket DROP CONSTRAINT pocket_kind;
ALTER TABLE pocket ADD CONSTRAINT pocket_kind CHECK (
  CASE WHEN member_id IS NULL THEN kind IN ('fees', 'tax', 'clearing', 'external', 'shortfall', 'loans', 'interest', 'issuers')
  ELSE kind IN ('available', 'held', 'collateral', 'profit', 'credit', 'unsettled', 'owing', 'margin') END
);
INSERT INTO pocket (member_id, kind, currency) SELECT NULL, kind, 'TWD' FROM unnest(ARRAY['loans', 'interest', 'issuers']) AS kind;
INSERT INTO pocket (member_id, kind, currency) SELECT id, kind, 'TWD' FROM member, unnest(ARRAY['unsettled', 'owing', 'margin']) AS kind;
ALTER TABLE ledger_tx DROP CONSTRAINT ledger_tx_kind_check;
ALTER TABLE ledger_tx ADD CONSTRAINT ledger_tx_kind_check CHECK (kind IN ('deposit', 'hold', 'release', 'buy', 'sell', 'shortOpen', 'shortClose',
  'fee', 'tax', 'interest', 'dividend', 'margin', 'settle'));
CREATE INDEX ledger_tx_time ON ledger_tx (member_id, at);

/* How a member trades: what they applied for, signed and set. Changed under the member's lock (tally), read by every round. */
CREATE TABLE trader (
  member_id bigint PRIMARY KEY REFERENCES member (id),
  margin_status text NOT NULL DEFAULT 'none' CHECK (margin_status IN ('none', 'pendingReview', 'approved', 'rejected')),
  margin_applied_at bigint,
  margin_approved_at bigint,
  margin_version integer NOT NULL DEFAULT 0,
  day_signed_at bigint,
  warning_percent integer,
  max_order_cents bigint,
  daily_loss_cents bigint,
  slide_above_cents bigint,
  locked_until bigint,
  /* Easier limits, and from when: {"maxOrderCents", "dailyLossCents", "at"}. */
  easing jsonb,
  /* The day (as taipeiDay counts) of the realised profit beside it. */
  profit_day integer NOT NULL DEFAULT 0,
  day_profit_cents bigint NOT NULL DEFAULT 0
);
INSERT INTO trader (member_id) SELECT id FROM member;

ALTER TABLE "order"
  ADD COLUMN market text NOT NULL DEFAULT 'board' CHECK (market IN ('board', 'odd', 'fixed')),
  ADD COLUMN validity text NOT NULL DEFAULT 'rod' CHECK (validity IN ('rod', 'ioc', 'fok')),
  ADD COLUMN funding text NOT NULL DEFAULT 'cash' CHECK (funding IN ('cash', 'margin', 'leverage')),
  ADD COLUMN day_trade boolean NOT NULL DEFAULT false,
  ADD COLUMN terms jsonb,
  ADD COLUMN trigger_kind text CHECK (trigger_kind IN ('stop', 'takeProfit')),
  ADD COLUMN trigger_price bigint,
  /* Its place among those that wait at one price: a number of the same sequence as the order's own; a new price takes a new one. */
  ADD COLUMN turn text COLLATE "C",
  ADD COLUMN close_market text CHECK (close_market IN ('board', 'odd', 'fixed')),
  ADD COLUMN close_validity text CHECK (close_validity IN ('rod', 'ioc', 'fok')),
  ADD COLUMN close_cause text CHECK (close_cause IN ('member', 'condition', 'squareOff', 'marginCall', 'liquidation')),
  /* Borrowed in all on opening, and what of it is still owed; a closed part takes its share along. */
  ADD COLUMN lent_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN loan_cents bigint NOT NULL DEFAULT 0 CHECK (loan_cents >= 0),
  ADD COLUMN interest_cents bigint NOT NULL DEFAULT 0 CHECK (interest_cents >= 0),
  ADD COLUMN interest_day integer,
  ADD COLUMN dividend_cents bigint NOT NULL DEFAULT 0;
UPDATE "order" SET
  turn = order_no,
  close_market = CASE WHEN status IN ('readyToClose', 'closed') THEN 'board' END,
  close_cause = CASE WHEN status IN ('readyToClose', 'closed') THEN 'member' END,
  terms = json_build_object('feePerMillion', 1425, 'feeMinimumCents', 2000,
    'taxPerMillion', CASE WHEN kind IN ('stock', 'preferred') THEN 3000 WHEN kind IN ('etf', 'etn', 'tdr') THEN 1000 ELSE 0 END,
    'ownPerMillion', 1000000, 'collateralPerMillion', 900000, 'interestPerMillion', 0, 'maintenancePerMillion', 0,
    'lockSeconds', lock_seconds, 'settlementDays', 0);
ALTER TABLE "order" ALTER COLUMN terms SET NOT NULL, ALTER COLUMN turn SET NOT NULL, DROP COLUMN lock_seconds;
CREATE INDEX order_borrowed ON "order" (member_id) WHERE loan_cents > 0 OR collateral_cents > 0;

ALTER TABLE fill DROP CONSTRAINT fill_reason_check;
ALTER TABLE fill ADD CONSTRAINT fill_reason_check CHECK (reason IN ('bookLevel', 'limitOrBetter', 'member', 'auction', 'oddAuction', 'fixedPrice'));
CREATE INDEX fill_day ON fill (member_id, at);

/* A command on several orders keeps its answer as it was given. */
ALTER TABLE request ADD COLUMN answer jsonb;

CREATE SEQUENCE condition_no START 100000000001;
CREATE TABLE condition (
  condition_no text COLLATE "C" PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  order_no text COLLATE "C" NOT NULL REFERENCES "order" (order_no),
  code text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('stop', 'takeProfit', 'trailing')),
  price bigint NOT NULL CHECK (price > 0),
  best bigint,
  status text NOT NULL CHECK (status IN ('waiting', 'fired', 'cancelled', 'failed')),
  set_at bigint NOT NULL,
  ended_at bigint,
  fired_price bigint,
  refusal text,
  version integer NOT NULL
);
CREATE INDEX condition_member ON condition (member_id, condition_no DESC);
CREATE INDEX condition_waiting ON condition (order_no) WHERE status = 'waiting';

CREATE SEQUENCE margin_call_no START 100000000001;
CREATE TABLE margin_call (
  call_no text COLLATE "C" PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  status text NOT NULL CHECK (status IN ('due', 'paused', 'overdue', 'cleared', 'liquidated')),
  called_at bigint NOT NULL,
  due_at bigint NOT NULL,
  ended_at bigint,
  required_cents bigint NOT NULL,
  paid_cents bigint NOT NULL
);
CREATE INDEX margin_call_member ON margin_call (member_id, call_no DESC);
CREATE UNIQUE INDEX margin_call_open ON margin_call (member_id) WHERE status IN ('due', 'paused', 'overdue');

/* Trades of a market that pays later: what moves out of `owing` or `unsettled` on the day. */
CREATE TABLE settlement (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  order_no text COLLATE "C" NOT NULL REFERENCES "order" (order_no),
  traded_at bigint NOT NULL,
  due_at bigint NOT NULL,
  amount_cents bigint NOT NULL,
  settled_at bigint
);
CREATE INDEX settlement_due ON settlement (due_at) WHERE settled_at IS NULL;
CREATE INDEX settlement_member ON settlement (member_id, due_at) WHERE settled_at IS NULL;

/* Corporate actions that came over positions, each over each order once. */
CREATE TABLE adjustment (
  order_no text COLLATE "C" NOT NULL REFERENCES "order" (order_no),
  member_id bigint NOT NULL REFERENCES member (id),
  /* The ex-date (as taipeiDay counts) and kind of the action. */
  day integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('dividend', 'split', 'rights')),
  at bigint NOT NULL,
  from_lots integer NOT NULL,
  from_lot_shares integer NOT NULL,
  to_lots integer NOT NULL,
  to_lot_shares integer NOT NULL,
  cash_cents bigint NOT NULL,
  PRIMARY KEY (order_no, day, kind)
);

/* What an account was worth, and what was paid in from outside until then. */
CREATE TABLE worth (
  member_id bigint NOT NULL REFERENCES member (id),
  at bigint NOT NULL,
  total_cents bigint NOT NULL,
  paid_in_cents bigint NOT NULL,
  PRIMARY KEY (member_id, at)
);

CREATE OR REPLACE FUNCTION round_open(p_members bigint[], p_requests uuid[], p_orders text[], p_placements integer) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  asked json;
  wanted text[];
BEGIN
  /* In one order everywhere, so that two servers never wait for each other in a circle. */
  PERFORM FROM tally WHERE member_id = ANY (p_members) ORDER BY member_id FOR UPDATE;
  SELECT coalesce(json_agg(request), '[]'), coalesce(array_agg(order_no), '{}') INTO asked, wanted
  FROM request WHERE member_id = ANY (p_members) AND request_id = ANY (p_requests);
  wanted := p_orders || wanted;
  RETURN json_build_object(
    'people', (
      SELECT coalesce(json_agg(person), '[]') FROM (
        SELECT id, identity, trade_barred, fact_n, profit_cents, margin_status, day_signed_at, max_order_cents, daily_loss_cents, locked_until, easing,
          profit_day, day_profit_cents
        FROM member JOIN tally ON tally.member_id = id JOIN trader ON trader.member_id = id WHERE id = ANY (p_members)
      ) AS person
    ),
    'requests', asked,
    'orders', (SELECT coalesce(json_agg("order"), '[]') FROM "order" WHERE cardinality(wanted) > 0 AND order_no = ANY (wanted)),
    'numbers', (SELECT coalesce(json_agg('K' || nextval('order_no')), '[]') FROM generate_series(1, p_placements))
  );
END $$;

CREATE OR REPLACE FUNCTION round_write(p_orders json, p_fills json, p_requests json, p_facts json, p_tallies json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "order" SELECT * FROM json_populate_recordset(NULL::"order", p_orders)
  ON CONFLICT (order_no) DO UPDATE SET
    status = excluded.status, pricing = excluded.pricing, price = excluded.price, bound_price = excluded.bound_price,
    lots = excluded.lots, lot_shares = excluded.lot_shares, fills = excluded.fills, filled_lots = excluded.filled_lots,
    closed_lots = excluded.closed_lots, closing_lots = excluded.closing_lots, asked_at = excluded.asked_at, turn = excluded.turn,
    day_trade = excluded.day_trade, terms = excluded.terms, trigger_kind = excluded.trigger_kind, trigger_price = excluded.trigger_price,
    close_pricing = excluded.close_pricing, close_price = excluded.close_price, close_market = excluded.close_market,
    close_validity = excluded.close_validity, close_cause = excluded.close_cause,
    bought_at = excluded.bought_at, sold_at = excluded.sold_at, locked_until = excluded.locked_until,
    open_cents = excluded.open_cents, open_fee_cents = excluded.open_fee_cents, open_tax_cents = excluded.open_tax_cents,
    close_cents = excluded.close_cents, close_fee_cents = excluded.close_fee_cents, close_tax_cents = excluded.close_tax_cents,
    held_cents = excluded.held_cents, collateral_cents = excluded.collateral_cents, pledged_cents = excluded.pledged_cents,
    lent_cents = excluded.lent_cents, loan_cents = excluded.loan_cents, interest_cents = excluded.interest_cents,
    interest_day = excluded.interest_day, dividend_cents = excluded.dividend_cents,
    profit_cents = excluded.profit_cents, version = excluded.version;
  INSERT INTO fill SELECT * FROM json_populate_recordset(NULL::fill, p_fills);
  INSERT INTO request SELECT * FROM json_populate_recordset(NULL::request, p_requests);
  INSERT INTO fact SELECT * FROM json_populate_recordset(NULL::fact, p_facts);
  UPDATE tally SET fact_n = counted.fact_n, profit_cents = counted.profit_cents
  FROM json_populate_recordset(NULL::tally, p_tallies) AS counted WHERE tally.member_id = counted.member_id;
END $$;
