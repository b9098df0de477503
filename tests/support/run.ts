/** What one run of the tests makes outside of itself bears the run's name, so that it can be taken away, by the next run if need be. */
import { randomBytes } from "node:crypto";
import process from "node:process";

/** Eight hexadecimal digits; "single" outside the test runner. */
const run = (): string => process.env["TEST_RUN"] ?? "single";

/** Whether the server tests run on PostgreSQL; they have run on the embedded database before. */
export const onPostgres = Boolean(process.env["DATABASE_URL"]);

/** A name for a schema of PostgreSQL that the run drops at its end. */
export const schemaName = (): string => `test_${run()}_${randomBytes(6).toString("hex")}`;

/** The same, or null where the embedded database is tested. */
export const schemaNameOrNull = (): string | null => (onPostgres ? schemaName() : null);
