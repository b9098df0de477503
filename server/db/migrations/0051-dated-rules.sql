/*
 * Rules that hold from a day, until a day, and of funds of bonds: taxes change on days the law names years ahead. A rule without days
 * holds for good; one for everything comes before one for a class, that before one for a code, and that of a member last.
 */
ALTER TABLE rule ADD COLUMN bonds boolean;
ALTER TABLE rule ADD COLUMN valid_from date;
ALTER TABLE rule ADD COLUMN valid_until date;
ALTER TABLE rule ADD CONSTRAINT rule_days CHECK (valid_from <= valid_until);

INSERT INTO rule (part, kind, bonds, valid_from, valid_until, body) VALUES
  /* Selling a fund of bonds is exempt until the end of 2026; after that it is taxed as any fund is. */
  ('trade', 'etf', true, NULL, '2026-12-31', '{"taxPerMillion": 0, "dayTaxPerMillion": 0}'),
  /* The halved tax of a day trade ends with 2027. Classes whose day trades are taxed by a rule of their own keep it. */
  ('trade', NULL, NULL, '2028-01-01', NULL, '{"dayTaxPerMillion": 3000}');
