/* Members whose secrets everybody knows: an open server lets nobody in as one of them unless it is asked to. */
ALTER TABLE member ADD COLUMN demo boolean NOT NULL DEFAULT false;
UPDATE member SET demo = true WHERE (account, id_number) IN (('KS100001', 'A123456789'), ('KS100002', 'B200000004'));
