/* The signature of a minor's representative; null for those who agreed before it was asked for. */
ALTER TABLE representative ADD COLUMN strokes jsonb;

/* Who is of age is decided with the batch's time. */
DO $$ BEGIN
  EXECUTE replace(pg_get_functiondef('batch_open(bigint[], uuid[], text[], integer)'::regprocedure),
    'profit_day, day_profit_cents', 'birth_date, profit_day, day_profit_cents');
END $$;
