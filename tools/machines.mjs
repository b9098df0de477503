/** `node tools/machines.mjs`: writes docs/machines from the definitions of the machines; `--check` only says which pages are stale. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { chartOf } from "#machines/chart.ts";
import { machines } from "#machines/index.ts";
import { ROOT } from "./install.mjs";

const FOLDER = join(ROOT, "docs", "machines");
const REFRESH = "npm run machines";

/** @typedef {import("#machines/chart.ts").Chart} Chart */
/** @typedef {import("#machines/chart.ts").ChartState} ChartState */
/** @typedef {import("#machines/chart.ts").ChartTransition} ChartTransition */

const kebab = (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** A state's name for Mermaid, which knows no points in names. */
const nodeOf = (path) => path.replaceAll(".", "__");

/** @param {ChartTransition} way */
function eventOf({ kind, event, delayMs }) {
  if (kind === "always") return "at once";
  if (kind !== "delay") return event;
  return delayMs === null ? `after ${event}` : `after ${delayMs} ms (${event})`;
}

/** @param {ChartTransition} way */
const labelOf = (way) => eventOf(way) + (way.guard === null ? "" : ` [${way.guard}]`);

/** One state with its parts; every transition stands behind all states, so that none is declared twice. @param {Chart} chart */
function statesOf(chart, parent, indent) {
  return chart.states
    .filter((state) => state.parent === parent)
    .flatMap((state) => {
      const parts = statesOf(chart, state.path, `${indent}  `);
      const own = parts.length === 0 ? [] : [`${indent}state ${nodeOf(state.path)} {`, ...parts, `${indent}}`];
      return [
        `${indent}state "${state.name}" as ${nodeOf(state.path)}`,
        ...own,
        ...(state.initial ? [`${indent}[*] --> ${nodeOf(state.path)}`] : []),
        ...(state.kind === "final" ? [`${indent}${nodeOf(state.path)} --> [*]`] : []),
      ];
    });
}

/** A transition of every state is drawn from each of the outermost; one that stays is in the table only. @param {Chart} chart */
function waysOf({ states, transitions }) {
  const outermost = states.filter(({ parent }) => parent === "").map(({ path }) => path);
  const drawn = transitions
    .filter(({ to }) => to !== null)
    .flatMap((way) => (way.from === "" ? outermost.filter((from) => from !== way.to).map((from) => ({ ...way, from })) : [way]));
  return drawn.map((way) => `  ${nodeOf(way.from)} --> ${nodeOf(way.to)}: ${labelOf(way)}`);
}

/** A table in even columns, as the formatter of the house wants it. @param {readonly string[][]} rows the first is the head */
function table(...rows) {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((cells) => cells[at].length)));
  const line = (cells, filler) => `| ${cells.map((text, at) => text.padEnd(widths[at], filler)).join(" | ")} |`;
  const [head, ...body] = rows;
  return [
    line(head, " "),
    line(
      head.map(() => ""),
      "-",
    ),
    ...body.map((cells) => line(cells, " ")),
  ];
}

/** @param {ChartState} state */
function wordsOf({ path, kind, initial, tags, invokes, entry, exit }) {
  const said = [
    ...(initial ? ["begins here"] : []),
    ...(kind === "final" ? ["ends here"] : []),
    ...invokes.map((name) => `runs \`${name}\``),
    ...entry.map((name) => `on entry \`${name}\``),
    ...exit.map((name) => `on exit \`${name}\``),
    ...tags.map((tag) => `tag \`${tag}\``),
  ];
  return [`\`${path}\``, said.length === 0 ? "–" : said.join(", ")];
}

/** The page of one machine. @param {string} name @param {Chart} chart @param {string} job */
function pageOf(name, chart, job) {
  const ways = chart.transitions.map((way) => [
    way.from === "" ? "in every state" : `\`${way.from}\``,
    eventOf(way),
    way.guard === null ? "–" : `\`${way.guard}\``,
    way.to === null ? "stays" : `\`${way.to}\``,
    way.actions.length === 0 ? "–" : way.actions.map((action) => `\`${action}\``).join(", "),
  ]);
  return [
    `# ${name}`,
    "",
    job,
    "",
    "Generated from the definition: do not edit. Refresh with `" + REFRESH + "`.",
    "",
    "```mermaid",
    "stateDiagram-v2",
    ...statesOf(chart, "", "  "),
    ...waysOf(chart),
    "```",
    "",
    "## States",
    "",
    ...table(["State", "What it is"], ...chart.states.map(wordsOf)),
    "",
    "## Transitions",
    "",
    ...table(["From", "Event", "Only if", "To", "Does"], ...ways),
    "",
  ].join("\n");
}

/** The sentence a machine's file opens with. */
function jobOf(name) {
  const text = readFileSync(join(ROOT, "machines", `${kebab(name)}.ts`), "utf8");
  return (/^\/\*\*([^]*?)\*\//.exec(text)?.[1] ?? "").replaceAll(/\s*\n\s*\*\s*/g, " ").trim();
}

/** Every page by its file name. */
function pages() {
  const each = Object.entries(machines).map(([name, machine]) => ({ name, file: `${kebab(name)}.md`, job: jobOf(name), machine }));
  const index = [
    "# The machines",
    "",
    "Every lifecycle of the product. Each definition exists once, in `machines/`: the phone runs it or follows it, and the broker judges by it.",
    "The app draws the same at `/lab/machines`, with what lives in them.",
    "",
    "Generated from the definitions: do not edit. Refresh with `" + REFRESH + "`.",
    "",
    ...table(["Machine", "What it is"], ...each.map(({ name, file, job }) => [`[${name}](${file})`, job])),
    "",
  ].join("\n");
  return new Map([["README.md", index], ...each.map(({ name, file, job, machine }) => [file, pageOf(name, chartOf(machine), job)])]);
}

/** What stands in the folder now, by file name. */
function written() {
  mkdirSync(FOLDER, { recursive: true });
  return new Map(readdirSync(FOLDER).map((file) => [file, readFileSync(join(FOLDER, file), "utf8")]));
}

const wanted = pages();
const there = written();
const stale = [...new Set([...wanted.keys(), ...there.keys()])].filter((file) => wanted.get(file) !== there.get(file));

if (process.argv.includes("--check")) {
  for (const file of stale) console.log(`docs/machines/${file} is stale: refresh with ${REFRESH}`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const file of stale) {
    const text = wanted.get(file);
    if (text === undefined) rmSync(join(FOLDER, file));
    else writeFileSync(join(FOLDER, file), text);
    console.log(`docs/machines/${file}`);
  }
}
