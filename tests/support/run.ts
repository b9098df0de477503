/** Names of what a test run creates outside its process, so that this run or the next can remove it. */
import { randomBytes } from "node:crypto";
import process from "node:process";

/** Eight hexadecimal digits; "single" outside the test runner. */
const run = (): string => process.env["TEST_RUN"] ?? "single";

/** Whether the server tests run on PostgreSQL; they have run on the embedded database before. */
export const onPostgres = Boolean(process.env["DATABASE_URL"]);

/** A name for a PostgreSQL schema; the run drops it at its end. */
export const schemaName = (): string => `test_${run()}_${randomBytes(6).toString("hex")}`;

/** The same, or null when the embedded database is tested. */
export const schemaNameOrNull = (): string | null => (onPostgres ? schemaName() : null);
