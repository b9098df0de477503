/* The inbox tells what happened to orders: fills, triggers that were reached, and what ended unfilled. */
ALTER TABLE message ADD COLUMN report jsonb;
ALTER TABLE message DROP CONSTRAINT message_kind;
ALTER TABLE message ADD CONSTRAINT message_kind CHECK (kind IN ('welcome', 'alert', 'marginCall', 'debt', 'executionReport'));
ALTER TABLE message ADD CONSTRAINT message_report CHECK ((kind = 'executionReport') = (report IS NOT NULL));
/* Partial fills of an order are one message: the next one takes the place of the message so far. */
CREATE INDEX message_partly_filled ON message ((report ->> 'orderNo')) WHERE report ->> 'kind' = 'partlyFilled';
