/** Imported before a measured program (`--import`): puts the reference data of a larger market in the place of the usual one, also in its threads. */
import { registerHooks } from "node:module";

const USUAL = new URL("../../server/venue/reference-data/listings.ts", import.meta.url).href;
const MANY = new URL("many-listings.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    // The copies are made of the usual ones.
    return found.url === USUAL && context.parentURL !== MANY ? { ...found, url: MANY } : found;
  },
});
