/* Messages written outside of batches: their members are told about them by a fact, once. */
ALTER TABLE message ADD COLUMN untold boolean NOT NULL DEFAULT false;
CREATE INDEX message_untold ON message (id) WHERE untold;
