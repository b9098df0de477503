/** What a phone downloads: the built client's chunks, gzipped, against the budgets of the streaming path. */
import { gzipSync } from "node:zlib";
import { build } from "vite";
import type { Rolldown } from "vite";
import { ROOT } from "#tests/support/tree.ts";
import type { Figure, Table } from "./table.ts";

/** Kilobytes are thousands of bytes, as browsers' tools count. */
const KB = 1000;
type Output = Rolldown.RolldownOutput["output"][number];
type Chunk = Extract<Output, { type: "chunk" }>;

const gzipKb = (text: string | Uint8Array): number => gzipSync(text).length / KB;

/** Build the client in memory: nothing on disk changes. */
async function outputs(): Promise<Output[]> {
  const built = await build({ root: ROOT, logLevel: "warn", build: { write: false } });
  return (Array.isArray(built) ? built : [built]).flatMap((one) => ("output" in one ? one.output : []));
}

/** A chunk and all it imports before it runs. */
function closure(chunks: ReadonlyMap<string, Chunk>, from: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    const chunk = chunks.get(name);
    if (!chunk || reached.has(name)) return;
    reached.add(name);
    chunk.imports.forEach(visit);
  };
  from.forEach(visit);
  return reached;
}

export async function run(): Promise<Table[]> {
  const all = await outputs();
  const chunks = new Map(all.flatMap((one) => (one.type === "chunk" ? [[one.fileName, one] as const] : [])));
  const holding = (part: string): string[] =>
    [...chunks.values()].filter((chunk) => chunk.facadeModuleId?.includes(part)).map((chunk) => chunk.fileName);
  const sum = (names: Iterable<string>): number => [...names].reduce((total, name) => total + gzipKb(chunks.get(name)?.code ?? ""), 0);
  const beyond = (names: Iterable<string>, known: ReadonlySet<string>): Set<string> =>
    new Set([...names].filter((name) => !known.has(name)));

  const entries = [...chunks.values()].filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName);
  const login = closure(chunks, [...entries, ...holding("/src/screens/login/start.")]);
  const chart = new Set(
    [...chunks.values()]
      .filter((chunk) => chunk.moduleIds.some((id) => id.includes("/lightweight-charts/")))
      .map((chunk) => chunk.fileName),
  );
  const routes = holding("/src/screens/")
    .filter((name) => !chart.has(name) && !chunks.get(name)?.facadeModuleId?.includes("/screens/lab/"))
    .map((name) => ({ name: chunks.get(name)?.facadeModuleId?.split("/src/screens/")[1] ?? name, needs: closure(chunks, [name]) }));
  const shared = new Set([...chunks.keys()].filter((name) => routes.filter(({ needs }) => needs.has(name)).length > 1));
  // Signing in and the home screen both stand in the app, which the entrance loads once one goes beyond it.
  const inside = (screen: string): Set<string> => closure(chunks, [...entries, ...holding("/src/app."), ...holding(screen)]);
  const home = inside("/src/screens/home/home.");
  const core = new Set([...inside("/src/screens/login/sign-in.")].filter((name) => home.has(name)));
  const known = new Set([...core, ...chart]);
  const figures: Figure[] = [
    { what: "first load, login route, JS", value: sum(login), unit: "kB gzip", budget: 150 },
    { what: "core: what the start, the sign-in and the home screen share, JS", value: sum(core), unit: "kB gzip", budget: 175 },
    { what: "home screen, all it needs, JS", value: sum(home), unit: "kB gzip" },
    { what: "beyond the core, shared by two routes or more, JS", value: sum(beyond(shared, known)), unit: "kB gzip" },
    { what: "chart", value: sum(chart), unit: "kB gzip", budget: 60 },
    ...routes.map(({ name, needs }) => ({
      what: `route ${name}, its own`,
      value: sum(beyond(needs, new Set([...known, ...shared]))),
      unit: "kB gzip",
      budget: 15,
    })),
  ];
  for (const one of all) {
    if (/worker/.test(one.fileName) && one.fileName.endsWith(".js"))
      figures.push({ what: "worker", value: gzipKb(one.type === "asset" ? one.source : one.code), unit: "kB gzip", budget: 30 });
  }
  for (const language of holding("/locales/")) {
    const name = chunks.get(language)?.facadeModuleId?.split("/locales/")[1] ?? language;
    figures.push({ what: `language ${name}`, value: gzipKb(chunks.get(language)?.code ?? ""), unit: "kB gzip", budget: 20 });
  }
  const css = all
    .filter((one) => one.fileName.endsWith(".css"))
    .reduce((total, one) => total + (one.type === "asset" ? gzipKb(one.source) : 0), 0);
  figures.push({ what: "all CSS", value: css, unit: "kB gzip" });
  return [{ title: "What a phone downloads", figures }];
}
