/** Benchmark of download size: the built client's chunks, gzipped, against their budgets. */
import { gzipSync } from "node:zlib";
import { build } from "vite";
import type { Rolldown } from "vite";
import { ROOT } from "#tests/support/tree.ts";
import type { Figure, Table } from "./table.ts";

/** Kilobytes are 1,000 bytes, as in browser tools. */
const KB = 1000;
const UNIT = "kB gzip";
/** Number of the largest chunks listed. */
const WHOLES = 8;
type Output = Rolldown.RolldownOutput["output"][number];
type Chunk = Extract<Output, { type: "chunk" }>;

const gzipKb = (text: string | Uint8Array): number => gzipSync(text).length / KB;

/** Builds the client in memory without writing files. */
async function outputs(): Promise<Output[]> {
  const built = await build({ root: ROOT, logLevel: "warn", build: { write: false } });
  return (Array.isArray(built) ? built : [built]).flatMap((one) => ("output" in one ? one.output : []));
}

/** A chunk and all its static imports. */
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

/** A worker's size with its static imports, which are files beside it that no chunk lists. */
function withImports(name: string, all: readonly Output[], seen = new Set<string>()): number {
  const file = all.find(({ fileName }) => fileName === name);
  if (!file || seen.has(name)) return 0;
  seen.add(name);
  const code = file.type === "asset" ? file.source.toString() : file.code;
  const imported = [...code.matchAll(/(?:^|[;}\n])import(?:\{[^}]*\}from)?\s*["`]\.\/([^"`]+)["`]/g)].map(
    ([, other = ""]) => `assets/${other}`,
  );
  return imported.reduce((total, other) => total + withImports(other, all, seen), gzipKb(code));
}

export async function run(): Promise<Table[]> {
  const all = await outputs();
  const chunks = new Map(all.flatMap((one) => (one.type === "chunk" ? [[one.fileName, one] as const] : [])));
  const holding = (part: string): string[] =>
    [...chunks.values()].filter((chunk) => chunk.facadeModuleId?.includes(part)).map((chunk) => chunk.fileName);
  const named = (name: string): string[] => [...chunks.values()].filter((chunk) => chunk.name === name).map(({ fileName }) => fileName);
  const sum = (names: Iterable<string>): number => [...names].reduce((total, name) => total + gzipKb(chunks.get(name)?.code ?? ""), 0);
  const beyond = (names: Iterable<string>, known: ReadonlySet<string>): Set<string> =>
    new Set([...names].filter((name) => !known.has(name)));

  const entries = [...chunks.values()].filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName);
  const login = closure(chunks, [...entries, ...holding("/src/screens/login/start.")]);
  const including = (library: string): Set<string> =>
    new Set(
      [...chunks.values()].filter((chunk) => chunk.moduleIds.some((id) => id.includes(`/${library}/`))).map((chunk) => chunk.fileName),
    );
  const chart = including("lightweight-charts");
  // The workspace's panes load in parallel with its own code.
  const panes = including("react-resizable-panels");
  const routes = holding("/src/screens/")
    .filter((name) => !chart.has(name) && !chunks.get(name)?.facadeModuleId?.includes("/screens/lab/"))
    .map((name) => ({ name: chunks.get(name)?.facadeModuleId?.split("/src/screens/")[1] ?? name, needs: closure(chunks, [name]) }));
  const shared = new Set([...chunks.keys()].filter((name) => routes.filter(({ needs }) => needs.has(name)).length > 1));
  // Sign-in and the home screen are part of the app chunk, which the entry loads after start-up.
  const inside = (screen: string): Set<string> => closure(chunks, [...entries, ...holding("/src/app."), ...holding(screen)]);
  const home = inside("/src/screens/home/home.");
  const core = new Set([...inside("/src/screens/login/sign-in.")].filter((name) => home.has(name)));
  const known = new Set([...core, ...chart, ...panes]);
  const own = (needs: ReadonlySet<string>): number => sum(beyond(needs, new Set([...known, ...shared])));
  const whole = (needs: ReadonlySet<string>): number => sum(beyond(needs, known));
  const largest = (figures: readonly Figure[], row: string): Figure[] =>
    figures.toSorted((a, b) => b.value - a.value).map((figure, nth) => (nth === 0 ? { ...figure, row } : figure));

  const first: Figure[] = [
    { what: "login route, JS", value: sum(login), unit: UNIT, budget: 150, row: "first load" },
    {
      what: "core: chunks shared by start-up, sign-in and the home screen",
      value: sum(core),
      unit: UNIT,
      budget: 175,
      row: "core",
    },
    {
      what: "core and one route: everything the home screen needs",
      value: sum(home),
      unit: UNIT,
      budget: 175 + 15,
      row: "core",
    },
    { what: "endpoints beyond start-up, loaded with the app's first call", value: sum(named("calls")), unit: UNIT },
    { what: "axios, loaded beside the app", value: sum(holding("/src/gateway/http.")), unit: UNIT },
    { what: "beyond the core, shared by at least two routes", value: sum(beyond(shared, known)), unit: UNIT },
    { what: "chart", value: sum(chart), unit: UNIT, budget: 60, row: "chart" },
    { what: "resizable panes of the wide layout", value: sum(panes), unit: UNIT, budget: 17, row: "panes" },
  ];
  const workers = all.flatMap((one): Figure[] => {
    const [, name] = /([\w-]+\.worker)[^/]*\.js$/.exec(one.fileName) ?? [];
    if (name === undefined) return [];
    const value = withImports(one.fileName, all);
    return [{ what: name, value, unit: UNIT, budget: 30, row: "worker" }];
  });
  const parts = holding("/locales/").map((file) => {
    const [, language = file, part = ""] = /\/locales\/([\w-]+)\.json\?(\w+)/.exec(chunks.get(file)?.facadeModuleId ?? "") ?? [];
    return { language, part, value: gzipKb(chunks.get(file)?.code ?? "") };
  });
  const always = new Set(["first", "main"]);
  const languages = [...Map.groupBy(parts, ({ language }) => language)].map(([language, of]): Figure => {
    const value = of.reduce((total, { part, value: size }) => total + (always.has(part) ? size : 0), 0);
    return { what: `language ${language}, texts of nearly every screen`, value, unit: UNIT, budget: 20 };
  });
  const further = [...Map.groupBy(parts, ({ part }) => part)].flatMap(([part, of]): Figure[] =>
    always.has(part)
      ? []
      : [
          {
            what: `texts of the part ${part}, the largest language`,
            value: Math.max(...of.map(({ value }) => value)),
            unit: UNIT,
            budget: 10,
          },
        ],
  );
  const css = all
    .filter((one) => one.fileName.endsWith(".css"))
    .reduce((total, one) => total + (one.type === "asset" ? gzipKb(one.source) : 0), 0);
  const owns = routes.map(({ name, needs }): Figure => ({ what: name, value: own(needs), unit: UNIT, budget: 15 }));
  const wholes = routes
    .map(({ name, needs }): Figure => ({ what: name, value: whole(needs), unit: UNIT }))
    .toSorted((a, b) => b.value - a.value);
  return [
    {
      title: "Download size",
      figures: [
        ...first,
        ...workers,
        ...largest(languages, "one language"),
        ...largest(further, "one part of a language"),
        { what: "all CSS", value: css, unit: UNIT },
      ],
    },
    { title: "A route's own code, without the core, the chart, the panes and shared chunks", figures: largest(owns, "a route") },
    { title: "The same with shared chunks: the maximum it loads when opened first", figures: wholes.slice(0, WHOLES) },
  ];
}
