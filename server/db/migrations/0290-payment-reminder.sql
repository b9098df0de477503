/* When the winner of a draw was told once more that the payment is due. */
ALTER TABLE subscription ADD COLUMN reminded_at bigint;
