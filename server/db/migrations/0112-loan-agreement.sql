/* Loans are drawn under the signed agreement; the tick beside an offer is gone. */
ALTER TABLE trader DROP COLUMN loan_signed_at;
