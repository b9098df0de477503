/** Argon2id hashes of secrets, a few at a time: each takes 19 MiB and a libuv thread. */
import { hash, verify } from "@node-rs/argon2";
import { Gate } from "./concurrency-gate.ts";

const gate = new Gate({ atOnce: 2, waiting: 64, refusal: "GEN_SYSTEM_BUSY" });

/** Argon2id with the library's defaults, which follow OWASP (19 MiB, two passes). @throws Refusal `GEN_SYSTEM_BUSY` when too many wait */
export const hashSecret = (secret: string): Promise<string> => gate.run("all", () => hash(secret));

/** Tells whether a secret belongs to a hash. @throws Refusal `GEN_SYSTEM_BUSY` when too many wait */
export const verifySecret = (secretHash: string, typed: string): Promise<boolean> => gate.run("all", () => verify(secretHash, typed));
