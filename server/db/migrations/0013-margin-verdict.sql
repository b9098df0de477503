/* What the operator decided on an application for margin, until the house carries it out. */
ALTER TABLE trader ADD COLUMN margin_verdict text CHECK (margin_verdict IN ('approved', 'rejected'));
CREATE INDEX trader_applied ON trader (margin_applied_at) WHERE margin_status = 'pendingReview';
