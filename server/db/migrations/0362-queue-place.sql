/* Where resting orders stand in the exchange's queues: the market's lots ahead of them, null while that is not known. */
CREATE TABLE queue_place (
  order_no text PRIMARY KEY,
  price bigint NOT NULL,
  turn text NOT NULL,
  ahead double precision CHECK (ahead >= 0)
);
