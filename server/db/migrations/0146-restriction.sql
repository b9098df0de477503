/*
 * Changes of a member's restrictions: written with the change, and told to the member by the running server, or by the next start.
 */
CREATE TABLE restriction_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  restriction text NOT NULL,
  imposed boolean NOT NULL,
  reason text NOT NULL,
  /* The operator's words to the member; empty for none. */
  words text NOT NULL DEFAULT '',
  at bigint NOT NULL,
  /* When open orders were withdrawn, where they are, and the member was told. */
  told_at bigint
);
CREATE INDEX restriction_change_untold ON restriction_change (id) WHERE told_at IS NULL;

SELECT ledger_words_add('message', 'message_kind', ARRAY['restriction']);
ALTER TABLE message ADD COLUMN restriction jsonb;
ALTER TABLE message ADD CONSTRAINT message_restriction CHECK ((kind = 'restriction') = (restriction IS NOT NULL));
