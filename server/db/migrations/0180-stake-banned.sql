/* A ban withdraws stakes that can still be withdrawn. */
SELECT ledger_words_add('stake', 'stake_reason_check', ARRAY['banned']);
