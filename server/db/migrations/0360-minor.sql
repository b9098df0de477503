/* The signature of a minor's representative; null for those who agreed before it was asked for. */
ALTER TABLE representative ADD COLUMN strokes jsonb;

/* Replaces a part of a function's text, and fails where that part is missing: a patch that changes nothing would be noticed by nobody. */
CREATE FUNCTION function_patch(patched regprocedure, part text, replacement text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  definition text := pg_get_functiondef(patched);
BEGIN
  IF position(part IN definition) = 0 THEN
    RAISE EXCEPTION 'the text of % does not have the part to replace: %', patched, part;
  END IF;
  EXECUTE replace(definition, part, replacement);
END $$;

/* Who is of age is decided with the batch's time, so the batch reads the date of birth with the member. The part was written by 0256. */
SELECT function_patch('batch_open(bigint[], uuid[], text[], integer)', 'day_profit_cents, lends', 'day_profit_cents, lends, birth_date');
