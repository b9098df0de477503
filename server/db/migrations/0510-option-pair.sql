/* An order that closes two option positions together is two trades that name each other. */
ALTER TABLE option_trade ADD COLUMN with_id bigint REFERENCES option_trade (id) DEFERRABLE INITIALLY DEFERRED;
