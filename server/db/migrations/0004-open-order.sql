/* What a member has in the market: a pending order may already hold some of its lots, and the overview values those too. */
DROP INDEX order_open;
CREATE INDEX order_open ON "order" (member_id, order_no DESC) WHERE status IN ('pending', 'holding', 'readyToClose');
