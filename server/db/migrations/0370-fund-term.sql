/*
 * Funds with a term: when holders are told of the end, the last session's close, and whom was told. At the end each unit is redeemed at its
 * value, which is a fill without a market and a movement of money of its own.
 */
ALTER TABLE raise ADD COLUMN last_traded_at bigint, ADD COLUMN notice_at bigint;
/* Those that are watched until they end. */
CREATE INDEX raise_maturing ON raise (offering_no) WHERE status = 'listed' AND matures_at IS NOT NULL;
CREATE TABLE fund_notice (
  member_id bigint NOT NULL REFERENCES member (id),
  offering_no text COLLATE "C" NOT NULL REFERENCES raise (offering_no),
  PRIMARY KEY (member_id, offering_no)
);
SELECT ledger_words_add('fill', 'fill_reason_check', ARRAY['redemption']);
SELECT ledger_words_add('"order"', 'order_close_cause_check', ARRAY['redemption']);
SELECT ledger_words_add('ledger_tx', 'ledger_tx_kind_check', ARRAY['redemption']);
SELECT ledger_words_add('news', 'news_kind', ARRAY['lastDay', 'maturity']);
