/* An order that rested is executed at its own price, and its fills say so. */
ALTER TABLE fill DROP CONSTRAINT fill_reason_check;
ALTER TABLE fill ADD CONSTRAINT fill_reason_check
  CHECK (reason IN ('bookLevel', 'limitOrBetter', 'member', 'auction', 'oddAuction', 'fixedPrice', 'resting'));
