/*
 * Agreements. A text is kept as it was signed, under its fingerprint, and can be neither changed nor deleted; a signature refers to it.
 */
CREATE TABLE agreement_text (
  hash text COLLATE "C" PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
  kind text NOT NULL,
  version integer NOT NULL,
  language text NOT NULL,
  title text NOT NULL,
  points jsonb NOT NULL,
  UNIQUE (kind, version, language)
);
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a signed text never changes';
END $$;
CREATE TRIGGER agreement_text_fixed BEFORE UPDATE OR DELETE ON agreement_text FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE agreement (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member (id),
  kind text NOT NULL,
  version integer NOT NULL,
  /* The binding text. */
  text_hash text COLLATE "C" NOT NULL REFERENCES agreement_text (hash),
  /* The translation that was read. */
  read_hash text COLLATE "C" NOT NULL REFERENCES agreement_text (hash),
  signed_at bigint NOT NULL,
  session_hash text NOT NULL,
  /* The signer as verified then. */
  name text NOT NULL,
  /* Strokes of points in a box of 600 by 200; null when the name was typed. */
  strokes jsonb,
  UNIQUE (member_id, kind, version)
);
CREATE TRIGGER agreement_fixed BEFORE UPDATE ON agreement FOR EACH ROW EXECUTE FUNCTION refuse_change();
