/* The functions of the sequencer are named after what they open and write, a batch; the guard of the ledger after what it ensures. */
ALTER FUNCTION round_open(bigint[], uuid[], text[], integer) RENAME TO batch_open;
ALTER FUNCTION round_write(json, json, json, json, json) RENAME TO batch_write;
ALTER FUNCTION ledger_refuses() RENAME TO ledger_append_only;
