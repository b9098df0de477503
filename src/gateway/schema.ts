/** Tells zod not to compile schemas with `new Function`, which the strict content policy forbids; import it before any schema is made. */
import * as z from "zod/mini";

z.config({ jitless: true });
