/** The endpoints of the entrance: what an app calls before anybody is signed in. */
import { configEndpoints } from "./config.ts";
import { sessionEndpoints } from "./session.ts";

export const entrance = { ...configEndpoints, ...sessionEndpoints };
