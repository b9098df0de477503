/**
 * Vite plugin that removes code the client never runs from its libraries and the contract; `npm run bench size` shows the savings.
 * Applies to the build only: tests and the development server use everything unchanged.
 */

/** Parts of axios for forms, uploads, fetch and the old cancellation: the client posts JSON by XMLHttpRequest and cancels by AbortSignal. */
const UNUSED_AXIOS =
  /\/axios\/lib\/(?:adapters\/fetch|cancel\/CancelToken|core\/setFormDataHeaders|helpers\/(?:AxiosURLSearchParams|formDataToJSON|HttpStatusCode|progressEventReducer|toFormData|toURLEncodedForm))\.js$/;

/** WebTransport and binary packets: the client uses text over websocket and polling. */
const UNUSED_SOCKET =
  /\/(?:engine\.io-client\/build\/esm\/transports\/webtransport|engine\.io-parser\/build\/esm\/contrib\/base64-arraybuffer|socket\.io-parser\/build\/esm\/(?:is-)?binary)\.js$/;

/** The engine's change to another transport while the socket is open, which the worker switches off (`upgrade: false`). */
const ENGINE = /\/engine\.io-client\/build\/esm\/socket\.js$/;
const TRANSPORT_CHANGE = /^ {4}_probe\(name\) \{\n.*?^ {4}\}\n/gms;

/** RxJS schedulers, and its conversion of web streams and async iterators with the helpers it needs: the client passes none of them. */
const UNUSED_RXJS = /\/rxjs\/dist\/esm\/internal\/(?:scheduled\/scheduled|util\/isReadableStreamLike)\.js$|\/tslib\/tslib\.es6\.m?js$/;

/** Replacement module with every exported name and no code. */
const EMPTY_MODULE = `export default undefined;
export const getFetch = undefined, progressEventReducer = undefined, WT = undefined, decode = undefined, scheduled = undefined;
export const __asyncValues = undefined, __awaiter = undefined, readableStreamLikeToAsyncGenerator = undefined, isReadableStreamLike = () => false;
export const isBinary = () => false, hasBinary = isBinary, deconstructPacket = undefined, reconstructPacket = undefined;`;

/** Endpoint documentation (`does`, `refusals`), used by OpenAPI and tests only; matched as the formatter writes it. */
const CONTRACT = /\/contract\/(?:kernel\/)?[\w-]+\.ts$/;
const ENDPOINT_DOCS = /^\s+(?:does:\s+"(?:[^"\\]|\\.)*"|refusals:\s+\[[^\]]*\]),$/gm;

/** The router's single large file, and what prevents tree shaking in it: displayName assignments, and calls not marked as pure. */
const ROUTER = /\/react-router\/dist\/production\/chunk-\w+\.mjs$/;
const DISPLAY_NAMES = /^[A-Z]\w*\.displayName = "[\w.]+";$/gm;
const PURE_CALLS = /= (?=React\d*\.(?:createContext|forwardRef|memo)\()/g;

/** The virtualiser's timing report, which only its `debug` option prints, and its scrolling: our lists are scrolled by the member. */
const VIRTUALISER = /\/virtual-core\/dist\/esm\/(?:utils|index)\.js$/;
const TIMING_REPORT = /^ {4}if \(opts\.key && .*?(?:= Date\.now\(\);|^ {4}\})\n/gms;
const SCROLLING = /^ {4}this\.(?:scrollToOffset|scrollToIndex|scrollBy) = .*?^ {4}\};\n/gms;

function strip(code, id) {
  if (ROUTER.test(id)) return code.replaceAll(DISPLAY_NAMES, "").replaceAll(PURE_CALLS, "= /* @__PURE__ */ ");
  if (VIRTUALISER.test(id)) return code.replaceAll(TIMING_REPORT, "").replaceAll(SCROLLING, "");
  if (ENGINE.test(id)) return code.replaceAll(TRANSPORT_CHANGE, "");
  return code.replaceAll(ENDPOINT_DOCS, "");
}

/** @returns {import("vite").Plugin} */
export const lean = () => ({
  name: "lean",
  enforce: "pre",
  apply: "build",

  /** The router's package exports its development build for browsers; this resolves to the production build beside it. */
  resolveId: {
    filter: { id: /^react-router$/ },
    async handler(source, importer, options) {
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found && { ...found, id: found.id.replace("/dist/development/", "/dist/production/") };
    },
  },

  load: {
    filter: { id: [UNUSED_AXIOS, UNUSED_SOCKET, UNUSED_RXJS] },
    handler: () => ({ code: EMPTY_MODULE, moduleSideEffects: false }),
  },

  transform: {
    filter: { id: [CONTRACT, ROUTER, VIRTUALISER, ENGINE] },
    // A file of the contract of which nothing is used is dropped whole: importing one does nothing.
    handler: (code, id) => ({ code: strip(code, id), map: null, ...(CONTRACT.test(id) ? { moduleSideEffects: false } : {}) }),
  },
});
