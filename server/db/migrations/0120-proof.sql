/*
 * Proofs of deposits: each is a photo of the photo store and belongs to one deposit. Every channel asks for one.
 */
ALTER TABLE deposit ALTER COLUMN proof_id TYPE text USING proof_id::text;
DROP INDEX deposit_proof;
CREATE INDEX deposit_proof ON deposit (proof_hash) WHERE proof_hash IS NOT NULL;
CREATE UNIQUE INDEX deposit_proof_once ON deposit (proof_hash) WHERE status = 'credited';
CREATE INDEX deposit_photo ON deposit (proof_id) WHERE proof_id IS NOT NULL;
UPDATE deposit_channel SET needs_proof = true;
