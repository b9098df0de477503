/* What waited too long for its instrument to trade again was called late; a copy at its stop-loss buys nothing more. */
SELECT ledger_words_add('copy_part', 'copy_part_left_out_check', ARRAY['halted', 'stop']);
