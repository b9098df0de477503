#!/bin/sh
# Lets the replica copy the database and follow it. From the next start on a commit waits for it.
echo "host replication kuroshio all scram-sha-256" >> "$PGDATA/pg_hba.conf"
psql -U kuroshio -d kuroshio -c "ALTER SYSTEM SET synchronous_standby_names = 'replica'"
