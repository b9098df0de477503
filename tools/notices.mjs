/**
 * Vite plugins that write the licences of all bundled packages into one file of the built client: one for the page's build, one for the
 * workers', which are built separately and first.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Path of the file in the built client. */
export const NOTICES = "THIRD-PARTY-NOTICES.txt";

const FOLDER = "/node_modules/";
const TEXTS = /^(?:licen[cs]e|copying|notice)/i;

/** The package folder of a module; null for our own modules. */
function packageOf(id) {
  const [path] = id.replace(/^\0/, "").split("?");
  if (!path.includes(FOLDER)) return null;
  const root = path.slice(0, path.lastIndexOf(FOLDER) + FOLDER.length);
  const [scope, name] = path.slice(root.length).split("/");
  const folder = join(root, scope.startsWith("@") ? join(scope, name) : scope);
  return existsSync(join(folder, "package.json")) ? folder : null;
}

function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = readdirSync(folder).filter((file) => TEXTS.test(file));
  const body = texts.map((file) => readFileSync(join(folder, file), "utf8").trim());
  const by = typeof author === "string" ? author : author?.name;
  if (body.length === 0) body.push(by ? `Copyright ${by}` : "The package contains no licence text.");
  return { key: `${name}@${version}`, text: [`${name} ${version} (${license ?? "licence not stated"})`, ...body].join("\n\n") };
}

/** The two plugins, which share the packages they find. */
export function notices() {
  const folders = new Set();
  const collect = (bundle) => {
    for (const chunk of Object.values(bundle)) for (const id of chunk.type === "chunk" ? chunk.moduleIds : []) folders.add(packageOf(id));
  };
  return {
    /** @returns {import("vite").Plugin} */
    worker: () => ({ name: "notices-of-workers", apply: "build", generateBundle: (_options, bundle) => collect(bundle) }),
    /** @returns {import("vite").Plugin} */
    page: () => ({
      name: "notices",
      apply: "build",
      generateBundle(_options, bundle) {
        collect(bundle);
        const found = [...folders].filter((folder) => folder !== null).map(noticeOf);
        const texts = [...new Map(found.map(({ key, text }) => [key, text]))]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([, text]) => text);
        const head = "This client contains the following third-party software.";
        this.emitFile({ type: "asset", fileName: NOTICES, source: `${[head, ...texts].join(`\n\n${"-".repeat(79)}\n\n`)}\n` });
      },
    }),
  };
}
