/** Stops zod from compiling schemas with `new Function`, which the content security policy forbids; import it before any schema is made. */
import * as z from "zod/mini";

z.config({ jitless: true });
