/* What the mentor had sold again before it was copied is left out for that reason; it was called late. */
SELECT ledger_words_add('copy_part', 'copy_part_left_out_check', ARRAY['sold']);
