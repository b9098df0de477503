/* Stocks under disposition are traded by calls alone: one that is missed is held late like those of the open and the close. */
ALTER TABLE held_call DROP CONSTRAINT held_call_kind_check;
ALTER TABLE held_call ADD CONSTRAINT held_call_kind_check CHECK (kind IN ('opening', 'closing', 'periodic'));
