/* An exit whose close ended unfilled waits again: what its firing ended is looked up by the order. */
CREATE INDEX condition_ended ON condition (order_no, ended_at) WHERE status IN ('fired', 'cancelled');
