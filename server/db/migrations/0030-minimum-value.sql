/*
 * Securities have no minimum value: one share may be bought, whatever it costs. Only what is not traded on an exchange keeps one. Where an
 * operator has set another minimum for all, that stays. The exceptions come first (id below 1), so that those an operator made count before them.
 */
WITH freed AS (
  UPDATE rule SET body = body || '{"minimumCents": 0}'
  WHERE part = 'trade' AND board IS NULL AND kind IS NULL AND code IS NULL AND member_id IS NULL AND body ->> 'minimumCents' = '100000'
  RETURNING id
)
INSERT INTO rule (id, part, kind, body) OVERRIDING SYSTEM VALUE
SELECT exception.id, 'trade', exception.kind, '{"minimumCents": 100000}'
FROM freed, (VALUES (0, 'crypto'), (-1, 'forex')) AS exception (id, kind);
