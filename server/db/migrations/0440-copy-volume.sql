/* Copies buy at most a part of what trades of an instrument in a session: who follows a mentor is not led into a market too thin for all. */
SELECT ledger_words_add('copy_part', 'copy_part_left_out_check', ARRAY['volume']);
CREATE INDEX copy_part_bought ON copy_part (code, at) WHERE side = 'buy';
UPDATE rule SET body = body || '{"volumePerMillion": 100000}' WHERE part = 'copy';
