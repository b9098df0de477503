/* Subscriptions of a member in a raising, those withdrawn included, are counted. */
CREATE INDEX stake_times ON stake (member_id, offering_no);
/* A raising that failed is an offering that failed, however far the offering's own clock had moved it. */
UPDATE offering SET phase = 'failed' FROM raise
WHERE raise.offering_no = offering.offering_no AND raise.status = 'failed' AND offering.phase NOT IN ('failed', 'void');
