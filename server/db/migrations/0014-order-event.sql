/* The life of an order is read from its facts: only those that its row and its fills do not tell are found by its number. */
CREATE INDEX fact_order_event ON fact ((body -> 'order' ->> 'orderNo'))
  WHERE type IN ('order.triggered', 'order.amended', 'order.reduced', 'order.cancelled', 'order.closeRequested', 'order.closeCancelled');
