/*
 * A sold call and a sold put are margined together: C is what that needs beyond the margin of one and the premium of the other. It is at most B,
 * also where a rule of days or of a member has a lower B, and its maintenance margin is the same part of it as that of B.
 */
WITH base AS (
  SELECT (body->>'initialBCents')::bigint AS initial, (body->>'maintenanceBCents')::bigint AS maintenance FROM rule
  WHERE part = 'options' AND member_id IS NULL AND valid_from IS NULL AND valid_until IS NULL
), b AS (
  SELECT rule.id, coalesce((body->>'initialBCents')::bigint, base.initial) AS initial,
    coalesce((body->>'maintenanceBCents')::bigint, base.maintenance) AS maintenance
  FROM rule CROSS JOIN base WHERE part = 'options' AND body ?| ARRAY['initialBCents', 'maintenanceBCents']
)
UPDATE rule SET body = body || jsonb_build_object(
  'initialCCents', LEAST(900000, b.initial),
  'maintenanceCCents', coalesce(ceil(LEAST(900000, b.initial)::numeric * b.maintenance / NULLIF(b.initial, 0)), 0)::bigint)
FROM b WHERE b.id = rule.id;
