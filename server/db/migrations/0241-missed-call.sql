/* Up to when the server was there to hold call auctions, and the latest one held of each instrument: what lies after is held late. */
CREATE TABLE call_clock (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  until bigint NOT NULL
);
CREATE TABLE held_call (
  code text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('opening', 'closing')),
  at bigint NOT NULL,
  PRIMARY KEY (code, kind)
);
SELECT ledger_words_add('fill', 'fill_reason_check', ARRAY['missedCall']);
