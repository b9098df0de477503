/*
 * Quantities of digital currency are counted in hundred-millionths of a coin, of which the columns for shares do not hold enough. The
 * constraints stay as they are.
 */
ALTER TABLE "order"
  ALTER COLUMN lots TYPE bigint, ALTER COLUMN filled_lots TYPE bigint, ALTER COLUMN closed_lots TYPE bigint,
  ALTER COLUMN closing_lots TYPE bigint;
ALTER TABLE fill ALTER COLUMN lots TYPE bigint;

/*
 * The rule of digital currency: a fee of its own and no tax, a million coins an order at most, paid in full and settled at once. Its minimum
 * stays what it is, and what an operator set otherwise stays as well.
 */
INSERT INTO rule (part, kind, body)
SELECT 'trade', 'crypto', '{}' WHERE NOT EXISTS (
  SELECT FROM rule WHERE part = 'trade' AND kind = 'crypto' AND board IS NULL AND code IS NULL AND member_id IS NULL AND valid_from IS NULL AND valid_until IS NULL
);
UPDATE rule SET body = '{"feePerMillion": 2000, "feeMinimumCents": 200, "taxPerMillion": 0, "dayTaxPerMillion": 0, "maxLots": 100000000000000,
  "lockSeconds": 0, "closedDays": 0, "multiples": [1], "settlementDays": 0}' || body
WHERE part = 'trade' AND kind = 'crypto' AND board IS NULL AND code IS NULL AND member_id IS NULL AND valid_from IS NULL AND valid_until IS NULL;
