/*
 * What changes where shares do: an alert knows the trading day in whose prices its level is stated, so that every split and stock dividend after it
 * counts once; and who holds a share is told once before its ex-date.
 */
ALTER TABLE alert ADD COLUMN price_day integer;
UPDATE alert SET price_day = (set_at + 28800000) / 86400000;
ALTER TABLE alert ALTER COLUMN price_day SET NOT NULL;
CREATE TABLE share_notice (
  member_id bigint NOT NULL REFERENCES member (id),
  code text COLLATE "C" NOT NULL,
  ex_day integer NOT NULL,
  PRIMARY KEY (member_id, code, ex_day)
);
