/* What buys at the market at once, a copy or a strategy, buys no stock that is traded by calls alone, and says so. */
SELECT ledger_words_add('copy_part', 'copy_part_left_out_check', ARRAY['calls']);
SELECT ledger_words_add('strategy_trade', 'strategy_trade_left_out_check', ARRAY['calls']);
