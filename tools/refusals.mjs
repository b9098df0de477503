/** `npm run refusals` generates docs/refusals.md, the table of refusals, from the contract; `--check` only tells whether it is stale. */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import * as z from "zod/mini";
import { endpoints } from "#contract/endpoints.ts";
import { FIELDS, IMPLIED, TRIGGERS } from "#contract/kernel/refusal-trigger.ts";
import { ROOT } from "./install.mjs";

const FILE = join(ROOT, "docs", "refusals.md");
const REFRESH = "npm run refusals";
/** Values that most fields refuse. */
const ODD = [undefined, null, "", " ", "x", "1234567890123456789012345678901234567890", -1, 0, 0.5, 1e15, false, [], {}];

const fieldsOf = (body) => Object.keys(z.toJSONSchema(body, { io: "input" }).properties ?? {});

/** The fields at which a body's schema gives each code. */
function fieldsBySchema({ body }) {
  const found = new Map();
  for (const field of fieldsOf(body)) {
    for (const value of ODD) {
      for (const { message, path } of body.safeParse({ [field]: value }).error?.issues ?? []) {
        if (path.length > 0) found.set(message, (found.get(message) ?? new Set()).add(String(path[0])));
      }
    }
  }
  return found;
}

/** The fields that the server names with each code, anywhere: `new Refusal("CODE", …, "field")`, or `code: "CODE", …, field: "field"`. */
function fieldsBySource() {
  const found = new Map();
  for (const file of globSync("{server,contract}/**/*.ts", { cwd: ROOT }).toSorted()) {
    const text = readFileSync(join(ROOT, file), "utf8");
    for (const [, code, field] of text.matchAll(/Refusal\(\s*"([A-Z][A-Z_]+)",[^;"]*?"(\w+)",?\s*\)/g)) add(found, code, field);
    for (const [, code, field] of text.matchAll(/code: "([A-Z][A-Z_]+)"[^;"]*?field: "(\w+)"/g)) add(found, code, field);
    for (const [, code, field] of text.matchAll(/"([A-Z][A-Z_]+)", path: \["(\w+)"\]/g)) add(found, code, field);
  }
  return found;
}

function add(found, code, field) {
  found.set(code, (found.get(code) ?? new Set()).add(field));
}

const sources = fieldsBySource();

/** Rows of endpoints by code and field; a dash where a refusal concerns the whole form. */
function rowsByCode() {
  const rows = new Map(Object.keys(TRIGGERS).map((code) => [code, new Map()]));
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const bySchema = fieldsBySchema(endpoint);
    const own = new Set(fieldsOf(endpoint.body));
    for (const code of endpoint.refusals) {
      const named = [...(sources.get(code) ?? []), FIELDS[code]].filter((field) => own.has(field));
      const fields = new Set([...(bySchema.get(code) ?? []), ...named]);
      for (const field of fields.size > 0 ? fields : ["–"]) {
        const row = rows.get(code);
        row.set(field, [...(row.get(field) ?? []), name]);
      }
    }
  }
  return rows;
}

function page() {
  const lines = [];
  const unused = [];
  for (const [code, byField] of rowsByCode()) {
    const trigger = TRIGGERS[code];
    if (typeof trigger !== "string") unused.push(`| \`${code}\` | ${trigger.unused} |`);
    else if (IMPLIED.includes(code)) lines.push(`| \`${code}\` | ${trigger} | – | every endpoint |`);
    else for (const [field, names] of byField) lines.push(`| \`${code}\` | ${trigger} | ${field} | ${names.join(", ")} |`);
  }
  return [
    "# Refusals",
    "",
    "Every refusal of the catalogue: when it is given, the field it is shown at (– for the whole form), and the endpoints that give it.",
    "",
    `Generated from the contract: do not edit. Refresh with \`${REFRESH}\`.`,
    "",
    "| code | when | field | endpoints |",
    "| --- | --- | --- | --- |",
    ...lines,
    "",
    "## Not given",
    "",
    "| code | why |",
    "| --- | --- |",
    ...unused,
    "",
  ].join("\n");
}

const wanted = page();
if (process.argv.includes("--check")) {
  const isFresh = existsSync(FILE) && readFileSync(FILE, "utf8") === wanted;
  if (!isFresh) console.log(`docs/refusals.md is stale: refresh with ${REFRESH}`);
  process.exitCode = isFresh ? 0 : 1;
} else writeFileSync(FILE, wanted);
