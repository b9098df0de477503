/*
 * Capital increases: offerings to the holders of a listed share, whose rights are counted when it trades ex-right. Such an offering has no
 * draw; a share can have several of them, each with an ex-date of its own.
 */
SELECT ledger_words_add('offering', 'offering_kind_check', ARRAY['increase']);
ALTER TABLE offering
  ADD COLUMN ex_at bigint,
  /* New shares per million shares held. */
  ADD COLUMN ratio_per_million bigint CHECK (ratio_per_million > 0),
  ADD CHECK ((kind = 'increase') = (ex_at IS NOT NULL AND ratio_per_million IS NOT NULL)),
  DROP CONSTRAINT offering_market_code_key;
CREATE UNIQUE INDEX offering_issue ON offering (market, code) WHERE kind <> 'increase';
CREATE UNIQUE INDEX offering_increase ON offering (market, code, ex_at) WHERE kind = 'increase';

/* What a member's positions entitle to, summed over them; settled once, after the close or when the offering is void. */
CREATE TABLE entitlement (
  offering_no text COLLATE "C" NOT NULL REFERENCES offering (offering_no),
  member_id bigint NOT NULL REFERENCES member (id),
  shares bigint NOT NULL CHECK (shares > 0),
  /* What the right to one share was worth on the ex-date, in price units: what a lapsed one is paid at most. */
  worth bigint NOT NULL CHECK (worth >= 0),
  granted_at bigint NOT NULL,
  told_at bigint,
  exercised_shares bigint CHECK (exercised_shares BETWEEN 0 AND shares),
  lapsed_cents bigint CHECK (lapsed_cents >= 0),
  settled_at bigint,
  PRIMARY KEY (offering_no, member_id),
  CHECK ((settled_at IS NULL) = (exercised_shares IS NULL)),
  CHECK ((settled_at IS NULL) = (lapsed_cents IS NULL))
);
CREATE INDEX entitlement_member ON entitlement (member_id);
CREATE INDEX entitlement_open ON entitlement (offering_no, member_id) WHERE settled_at IS NULL;

/* Money that a member gets for rights that lapse. */
SELECT ledger_words_add('ledger_tx', 'ledger_tx_kind_check', ARRAY['right']);

UPDATE rule SET body = jsonb_set(body, '{channels}', body->'channels' || '["increase"]')
WHERE part = 'offering' AND body ? 'channels' AND NOT body->'channels' ? 'increase';
