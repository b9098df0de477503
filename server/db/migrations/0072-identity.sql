/* Photos of identity cards and proofs, re-encoded and encrypted (AES-256-GCM: nonce, tag, content). */
CREATE TABLE photo (
  id text PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  at bigint NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  content bytea NOT NULL
);
CREATE INDEX photo_member ON photo (member_id, at);
CREATE INDEX photo_time ON photo (at);

/* Each submission of an identity; the latest one counts. The photos' ids stay when the photos are deleted. */
CREATE TABLE identity_submission (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  name text NOT NULL,
  id_number text NOT NULL,
  front text NOT NULL,
  back text NOT NULL,
  submitted_at bigint NOT NULL,
  decided_at bigint,
  decision text CHECK (decision IN ('approved', 'rejected')),
  reason text CHECK (reason IN ('missing', 'tooSmall', 'dark', 'blank', 'blurred', 'same', 'taken', 'operator')),
  CHECK ((decided_at IS NULL) = (decision IS NULL)),
  CHECK ((decision IS NOT DISTINCT FROM 'rejected') = (reason IS NOT NULL))
);
CREATE INDEX identity_submission_member ON identity_submission (member_id, id);
CREATE INDEX identity_submission_open ON identity_submission (submitted_at) WHERE decided_at IS NULL;

/* The decision lies in the inbox. */
ALTER TABLE message ADD COLUMN identity jsonb;
ALTER TABLE message DROP CONSTRAINT message_kind;
ALTER TABLE message ADD CONSTRAINT message_kind
  CHECK (kind IN ('welcome', 'alert', 'marginCall', 'debt', 'executionReport', 'identity'));
ALTER TABLE message ADD CONSTRAINT message_identity CHECK ((kind = 'identity') = (identity IS NOT NULL));
