/* The inbox tells of margin calls. */
ALTER TABLE message ADD COLUMN call_no text COLLATE "C" REFERENCES margin_call (call_no);
ALTER TABLE message DROP CONSTRAINT message_kind;
ALTER TABLE message ADD CONSTRAINT message_kind CHECK (kind IN ('welcome', 'alert', 'marginCall'));
ALTER TABLE message ADD CONSTRAINT message_call CHECK ((kind = 'marginCall') = (call_no IS NOT NULL));
