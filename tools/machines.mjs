/** `node tools/machines.mjs` generates docs/machines from the state machines; `--check` only lists stale pages. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { diagramOf } from "#machines/diagram.ts";
import { machines } from "#machines/index.ts";
import { ROOT } from "./install.mjs";

const FOLDER = join(ROOT, "docs", "machines");
const REFRESH = "npm run machines";

/** @typedef {import("#machines/diagram.ts").Diagram} Diagram */
/** @typedef {import("#machines/diagram.ts").DiagramState} DiagramState */
/** @typedef {import("#machines/diagram.ts").DiagramTransition} DiagramTransition */

const kebab = (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** A state's name for Mermaid, which does not allow dots. */
const nodeOf = (path) => path.replaceAll(".", "__");

/** @param {DiagramTransition} transition */
function eventOf({ kind, event, delayMs }) {
  if (kind === "always") return "at once";
  if (kind !== "delay") return event;
  return delayMs === null ? `after ${event}` : `after ${delayMs} ms (${event})`;
}

/** @param {DiagramTransition} transition */
const labelOf = (transition) => eventOf(transition) + (transition.guard === null ? "" : ` [${transition.guard}]`);

/** The states below a parent, recursively; transitions follow after all states, so that none is declared twice. @param {Diagram} diagram */
function statesOf(diagram, parent, indent) {
  return diagram.states
    .filter((state) => state.parent === parent)
    .flatMap((state) => {
      const parts = statesOf(diagram, state.path, `${indent}  `);
      const own = parts.length === 0 ? [] : [`${indent}state ${nodeOf(state.path)} {`, ...parts, `${indent}}`];
      return [
        `${indent}state "${state.name}" as ${nodeOf(state.path)}`,
        ...own,
        ...(state.initial ? [`${indent}[*] --> ${nodeOf(state.path)}`] : []),
        ...(state.kind === "final" ? [`${indent}${nodeOf(state.path)} --> [*]`] : []),
      ];
    });
}

/** The transitions. One from every state is drawn from each top-level state; one without a target is listed in the table only. @param {Diagram} diagram */
function transitionsOf({ states, transitions }) {
  const outermost = states.filter(({ parent }) => parent === "").map(({ path }) => path);
  const drawn = transitions
    .filter(({ to }) => to !== null)
    .flatMap((transition) =>
      transition.from === "" ? outermost.filter((from) => from !== transition.to).map((from) => ({ ...transition, from })) : [transition],
    );
  return drawn.map((transition) => `  ${nodeOf(transition.from)} --> ${nodeOf(transition.to)}: ${labelOf(transition)}`);
}

/** A Markdown table with aligned columns, as the formatter expects. @param {readonly string[][]} rows the first is the head */
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

/** @param {DiagramState} state */
function describeState({ path, kind, initial, tags, invokes, entry, exit }) {
  const notes = [
    ...(initial ? ["begins here"] : []),
    ...(kind === "final" ? ["ends here"] : []),
    ...invokes.map((name) => `runs \`${name}\``),
    ...entry.map((name) => `on entry \`${name}\``),
    ...exit.map((name) => `on exit \`${name}\``),
    ...tags.map((tag) => `tag \`${tag}\``),
  ];
  return [`\`${path}\``, notes.length === 0 ? "–" : notes.join(", ")];
}

/** The page of one machine. @param {string} name @param {Diagram} diagram @param {string} job */
function pageOf(name, diagram, job) {
  const rows = diagram.transitions.map((transition) => [
    transition.from === "" ? "in every state" : `\`${transition.from}\``,
    eventOf(transition),
    transition.guard === null ? "–" : `\`${transition.guard}\``,
    transition.to === null ? "stays" : `\`${transition.to}\``,
    transition.actions.length === 0 ? "–" : transition.actions.map((action) => `\`${action}\``).join(", "),
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
    ...statesOf(diagram, "", "  "),
    ...transitionsOf(diagram),
    "```",
    "",
    "## States",
    "",
    ...table(["State", "What it is"], ...diagram.states.map(describeState)),
    "",
    "## Transitions",
    "",
    ...table(["From", "Event", "Only if", "To", "Does"], ...rows),
    "",
  ].join("\n");
}

/** The opening comment of a machine's file. */
function jobOf(name) {
  const text = readFileSync(join(ROOT, "machines", `${kebab(name)}.ts`), "utf8");
  return (/^\/\*\*([^]*?)\*\//.exec(text)?.[1] ?? "").replaceAll(/\s*\n\s*\*\s*/g, " ").trim();
}

/** Every page by its file name. */
function pages() {
  const each = Object.entries(machines).map(([name, machine]) => ({ name, file: `${kebab(name)}.md`, job: jobOf(name), machine }));
  const index = [
    "# State machines",
    "",
    "Every lifecycle of the product. Each is defined once, in `machines/`. The server checks the transitions of order, alert, condition,",
    "margin call, identity and review, and the client follows them; the client alone runs request, session, connection and back button.",
    "The app draws the same diagrams with live instances at `/lab/machines`.",
    "",
    "Generated from the definitions: do not edit. Refresh with `" + REFRESH + "`.",
    "",
    ...table(["Machine", "What it is"], ...each.map(({ name, file, job }) => [`[${name}](${file})`, job])),
    "",
  ].join("\n");
  return new Map([["README.md", index], ...each.map(({ name, file, job, machine }) => [file, pageOf(name, diagramOf(machine), job)])]);
}

/** The existing pages by file name. */
function existingPages() {
  mkdirSync(FOLDER, { recursive: true });
  return new Map(readdirSync(FOLDER).map((file) => [file, readFileSync(join(FOLDER, file), "utf8")]));
}

const wanted = pages();
const existing = existingPages();
const stale = [...new Set([...wanted.keys(), ...existing.keys()])].filter((file) => wanted.get(file) !== existing.get(file));

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
