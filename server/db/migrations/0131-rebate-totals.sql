/*
 * A paid month keeps its totals, so that an agent's statement sums only the months that are not paid yet; and the invited members of an agent are
 * read in order, page by page.
 */
ALTER TABLE rebate_payment ADD COLUMN commission_cents bigint NOT NULL DEFAULT 0;
UPDATE rebate_payment AS paid SET commission_cents = (
  SELECT coalesce(sum(commission_cents), 0) FROM rebate WHERE rebate.agent_id = paid.agent_id AND rebate.month = paid.month
);
DROP INDEX member_invited_by;
CREATE INDEX member_invited_by ON member (invited_by, id) WHERE invited_by IS NOT NULL;
