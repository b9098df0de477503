/* Every kind of call is recorded with the transaction that holds it, by the moment it was due at: none is held twice. */
ALTER TABLE held_call DROP CONSTRAINT held_call_kind_check;
ALTER TABLE held_call ADD CONSTRAINT held_call_kind_check CHECK (kind IN ('opening', 'closing', 'resume', 'periodic', 'odd', 'fixed', 'lateOdd'));
