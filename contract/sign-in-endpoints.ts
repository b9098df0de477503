/** The endpoints called before sign-in: configuration and session. */
import { configEndpoints } from "./config.ts";
import { sessionEndpoints } from "./session.ts";

export const signInEndpoints = { ...configEndpoints, ...sessionEndpoints };
