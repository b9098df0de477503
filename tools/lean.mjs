/**
 * Leaves out of the built client what its libraries bring along and it never runs; `npm run bench size` says what that saves.
 * Only the build is concerned: tests and the development server use the libraries as they are.
 */

/** The parts of axios only forms, uploads, fetch and the cancellation of old need: ours posts JSON by XMLHttpRequest and cancels by signal. */
const UNUSED_AXIOS =
  /\/axios\/lib\/(?:adapters\/fetch|cancel\/CancelToken|core\/setFormDataHeaders|helpers\/(?:AxiosURLSearchParams|formDataToJSON|HttpStatusCode|progressEventReducer|toFormData|toURLEncodedForm))\.js$/;

/** What stands in their place: every name they export, with nothing behind it. */
const NOTHING = "export default undefined; export const getFetch = undefined, progressEventReducer = undefined;";

/** @returns {import("vite").Plugin} */
export const lean = () => ({
  name: "lean",
  enforce: "pre",
  apply: "build",

  /** The router's package names its development build for browsers, warnings and all; its production build lies beside it. */
  async resolveId(source, importer, options) {
    if (source !== "react-router") return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found && { ...found, id: found.id.replace("/dist/development/", "/dist/production/") };
  },

  load: {
    filter: { id: UNUSED_AXIOS },
    handler: () => ({ code: NOTHING, moduleSideEffects: false }),
  },
});
