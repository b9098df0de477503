/* A sold call and a sold put are margined together: C, at most B, is what that needs beyond the margin of one and the premium of the other. */
UPDATE rule SET body = body || jsonb_build_object(
  'initialCCents', LEAST(900000, (body->>'initialBCents')::bigint),
  'maintenanceCCents', LEAST(690000, (body->>'maintenanceBCents')::bigint))
WHERE part = 'options' AND member_id IS NULL AND valid_from IS NULL AND valid_until IS NULL;
