/**
 * Leaves out of the built client what it never runs, of its libraries and of the contract; `npm run bench size` says what that saves.
 * Only the build is concerned: tests and the development server use everything as it is.
 */

/** The parts of axios only forms, uploads, fetch and the cancellation of old need: ours posts JSON by XMLHttpRequest and cancels by signal. */
const UNUSED_AXIOS =
  /\/axios\/lib\/(?:adapters\/fetch|cancel\/CancelToken|core\/setFormDataHeaders|helpers\/(?:AxiosURLSearchParams|formDataToJSON|HttpStatusCode|progressEventReducer|toFormData|toURLEncodedForm))\.js$/;

/** The socket's third way of transport, and its binary packets: ours speaks text over two. */
const UNUSED_SOCKET = /\/(?:engine\.io-client\/build\/esm\/transports\/webtransport|socket\.io-parser\/build\/esm\/(?:is-)?binary)\.js$/;

/** Streams that are told on somebody else's clock: ours never name a scheduler. */
const UNUSED_RXJS = /\/rxjs\/dist\/esm\/internal\/scheduled\/scheduled\.js$/;

/** What stands in their place: every name they export, with nothing behind it. */
const NOTHING = `export default undefined;
export const getFetch = undefined, progressEventReducer = undefined, WT = undefined, scheduled = undefined;
export const isBinary = () => false, hasBinary = isBinary, deconstructPacket = undefined, reconstructPacket = undefined;`;

/** What an endpoint says to readers of the API and to the server's tests, as the formatter writes it. */
const CONTRACT = /\/contract\/[\w-]+\.ts$/;
const SAID_OF_ENDPOINTS = /^\s+(?:does:\s+"(?:[^"\\]|\\.)*"|refusals:\s+\[[^\]]*\]),$/gm;

/** The router's one large file, and what keeps parts of it that nobody uses: names for inspectors, and calls not known to do nothing else. */
const ROUTER = /\/react-router\/dist\/production\/chunk-\w+\.mjs$/;
const NAMES_FOR_INSPECTORS = /^[A-Z]\w*\.displayName = "[\w.]+";$/gm;
const MAKERS = /= (?=React\d*\.(?:createContext|forwardRef|memo)\()/g;

/** @returns {import("vite").Plugin} */
export const lean = () => ({
  name: "lean",
  enforce: "pre",
  apply: "build",

  /** The router's package names its development build for browsers, warnings and all; its production build lies beside it. */
  resolveId: {
    filter: { id: /^react-router$/ },
    async handler(source, importer, options) {
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found && { ...found, id: found.id.replace("/dist/development/", "/dist/production/") };
    },
  },

  load: {
    filter: { id: [UNUSED_AXIOS, UNUSED_SOCKET, UNUSED_RXJS] },
    handler: () => ({ code: NOTHING, moduleSideEffects: false }),
  },

  transform: {
    filter: { id: [CONTRACT, ROUTER] },
    handler: (code, id) => ({
      code: ROUTER.test(id)
        ? code.replaceAll(NAMES_FOR_INSPECTORS, "").replaceAll(MAKERS, "= /* @__PURE__ */ ")
        : code.replaceAll(SAID_OF_ENDPOINTS, ""),
      map: null,
    }),
  },
});
