/* Cash of an ex-event is owed to a holder from the ex-date on and paid on its pay date, like a trade that settles later. */
ALTER TABLE settlement ADD COLUMN kind text NOT NULL DEFAULT 'trade' CHECK (kind IN ('trade', 'dividend'));
