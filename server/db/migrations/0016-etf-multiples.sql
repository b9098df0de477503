/*
 * A fifth of the price is less than a day's limits lie apart (22 %): at five times, what is opened at one limit is not covered at the other.
 * Databases begun with another edition of 0011-trade have four times already; an operator's own list of multiples stays.
 */
UPDATE rule SET body = body || '{"multiples": [1, 2, 3, 4]}'
WHERE part = 'trade' AND kind = 'etf' AND board IS NULL AND code IS NULL AND member_id IS NULL AND body -> 'multiples' = '[1, 2, 3, 5]';
