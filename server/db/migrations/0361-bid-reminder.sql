/* When the winner of an auction was told once more that the payment is due. */
ALTER TABLE bid ADD COLUMN reminded_at bigint;
