/* What not paying for a win, and waiving it, cost in credit points; both bar from the next draws. */
UPDATE rule SET body = body || '{"failedPoints": 5, "waivedPoints": 2}' WHERE part = 'offering' AND member_id IS NULL;
DROP INDEX subscription_failed;
CREATE INDEX subscription_lost ON subscription (member_id, ended_at) WHERE status IN ('paymentFailed', 'waived');
