/*
 * A pocket is changed by nearly every order. An index that asks for its balance makes each change a new entry in all of its indexes. `watched` changes
 * seldom, so the row is changed in place. Debts and margin put up are read when a server starts.
 */
ALTER TABLE pocket ADD COLUMN watched boolean NOT NULL GENERATED ALWAYS AS (kind IN ('debt', 'margin') AND balance <> 0) STORED;
DROP INDEX pocket_in_debt;
CREATE INDEX pocket_watched ON pocket (kind, member_id) WHERE watched;
ALTER TABLE pocket SET (fillfactor = 80);
