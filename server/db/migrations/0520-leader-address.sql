/* Where the leader is reached by the servers that follow it; null where nobody may follow. */
ALTER TABLE server_epoch ADD COLUMN address text;
