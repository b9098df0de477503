/* When an order took its place among those at its price. Null where that is not known: what was repriced, triggered or closed before. */
ALTER TABLE "order" ADD COLUMN turn_at bigint;
UPDATE "order" SET turn_at = asked_at WHERE status = 'pending' AND turn = order_no;
SELECT function_patch('batch_write(json, json, json, json, json)', 'turn = excluded.turn', 'turn = excluded.turn, turn_at = excluded.turn_at');
