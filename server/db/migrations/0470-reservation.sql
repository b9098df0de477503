/* Orders placed while the market is closed: kept until the session they are reserved for first accepts orders. */
ALTER TABLE "order" ADD COLUMN reserved_for bigint;
ALTER TABLE "order" ADD CONSTRAINT order_reserved_check CHECK (reserved_for IS NULL OR status IN ('pending', 'readyToClose'));
CREATE INDEX order_reserved ON "order" (reserved_for) WHERE reserved_for IS NOT NULL;
DO $$ BEGIN
  EXECUTE replace(pg_get_functiondef('batch_write(json, json, json, json, json)'::regprocedure),
    'borrow_day = excluded.borrow_day', 'borrow_day = excluded.borrow_day, reserved_for = excluded.reserved_for');
END $$;
