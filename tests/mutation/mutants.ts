/** Finds small changes to a source file, and writes the file so that one of them can be switched on while it runs. */
import { parseSync } from "vite";

/** One change to a source file: an expression replaced, or a statement left out. */
export interface Mutant {
  /** Range of the replaced text, in UTF-16 units. */
  start: number;
  end: number;
  /** The text in its place; null leaves the statement out. */
  replacement: string | null;
}

/** A node of the syntax tree, as far as the walk needs it. */
interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** The function in the instrumented text that tells whether a mutant is on. */
export const SWITCH = "mutantIsOn";

const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
};
const ARITHMETIC: Readonly<Record<string, string>> = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" };
const ASSIGNMENTS: Readonly<Record<string, string>> = { "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=" };
const LOGICAL: Readonly<Record<string, string>> = { "&&": "||", "||": "&&" };
const METHODS: Readonly<Record<string, string>> = {
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  round: "floor",
  some: "every",
  every: "some",
};
/** A number up to this is one off, a larger one is ten times as large. */
const SMALL = 10;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Partial<Node>).type === "string";

/** TypeScript's wrappers around an expression; every other node of its own is a type. */
const WRAPPERS = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

/** The children that are code: no types, no names of properties, no imports. */
function children(node: Node): Node[] {
  if (node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration") return [];
  if (node.type.startsWith("TS")) return WRAPPERS.has(node.type) && isNode(node["expression"]) ? [node["expression"]] : [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === "key" && node["computed"] !== true) return [];
    return (Array.isArray(value) ? value : [value]).filter(isNode);
  });
}

/** The changes of one node, without those of its children. */
class NodeMutants {
  readonly #text: string;
  readonly #node: Node;
  readonly found: Mutant[] = [];

  constructor(text: string, node: Node) {
    this.#text = text;
    this.#node = node;
    this.#collect();
  }

  #of(key: string): Node | null {
    const child = this.#node[key];
    return isNode(child) ? child : null;
  }

  #textOf({ start, end }: { start: number; end: number }): string {
    return this.#text.slice(start, end);
  }

  #replace(node: Node, replacement: string | null): void {
    this.found.push({ start: node.start, end: node.end, replacement });
  }

  #operator(to: string): void {
    const [left, right] = [this.#of("left"), this.#of("right")];
    if (left && right) this.#replace(this.#node, `${this.#textOf(left)} ${to} ${this.#textOf(right)}`);
  }

  #collect(): void {
    const { type } = this.#node;
    const operator = this.#operatorText();
    if (type === "BinaryExpression") this.#binary(operator);
    else if (type === "LogicalExpression") this.#logical(operator);
    else if (type === "AssignmentExpression" && ASSIGNMENTS[operator]) this.#operator(ASSIGNMENTS[operator]);
    else if (type === "UpdateExpression") this.#replace(this.#node, this.#update(operator));
    else if (type === "UnaryExpression" && operator === "!") this.#unwrap("argument");
    else if (type === "Literal") this.#literal();
    else if (type === "CallExpression") this.#call();
    else if (type === "IfStatement") this.#condition();
    else if (type === "ConditionalExpression") this.#negate("test");
    else if (type === "ExpressionStatement") this.#statement();
  }

  #operatorText(): string {
    const operator = this.#node["operator"];
    return typeof operator === "string" ? operator : "";
  }

  #binary(operator: string): void {
    for (const to of COMPARISONS[operator] ?? []) this.#operator(to);
    const to = ARITHMETIC[operator];
    const joinsText = operator === "+" && [this.#of("left"), this.#of("right")].some((side) => side && isText(side));
    if (to && !joinsText) this.#operator(to);
  }

  #logical(operator: string): void {
    if (operator === "??") this.#unwrap("left");
    else if (LOGICAL[operator]) this.#operator(LOGICAL[operator]);
  }

  #unwrap(key: string): void {
    const inner = this.#of(key);
    if (inner) this.#replace(this.#node, this.#textOf(inner));
  }

  #update(operator: string): string {
    const argument = this.#of("argument");
    const to = operator === "++" ? "--" : "++";
    const name = argument ? this.#textOf(argument) : "";
    return this.#node["prefix"] === true ? `${to}${name}` : `${name}${to}`;
  }

  #literal(): void {
    const value = this.#node["value"];
    if (typeof value === "boolean") this.#replace(this.#node, String(!value));
    if (typeof value === "number") this.#replace(this.#node, String(value <= SMALL ? value + 1 : value * 10));
    if (typeof value === "bigint") this.#replace(this.#node, `${value <= BigInt(SMALL) ? value + 1n : value * 10n}n`);
  }

  #call(): void {
    const callee = this.#of("callee");
    const property = callee?.type === "MemberExpression" ? callee["property"] : null;
    if (!callee || !isNode(property) || property.type !== "Identifier") return;
    const to = METHODS[String(property["name"])];
    if (!to) return;
    const before = this.#text.slice(this.#node.start, property.start);
    this.#replace(this.#node, `${before}${to}${this.#text.slice(property.end, this.#node.end)}`);
  }

  /** A condition that is a comparison or a logical expression has mutants of its own. */
  #negate(key: string): void {
    const test = this.#of(key);
    if (!test || ["BinaryExpression", "LogicalExpression", "UnaryExpression"].includes(test.type)) return;
    this.#replace(test, `!(${this.#textOf(test)})`);
  }

  #condition(): void {
    this.#negate("test");
    const consequent = this.#of("consequent");
    if (consequent && this.#node["alternate"] === null && leaves(consequent)) this.#replace(this.#node, null);
  }

  #statement(): void {
    const expression = this.#of("expression");
    if (!expression) return;
    const inner = expression.type === "AwaitExpression" ? expression["argument"] : expression;
    if (!isNode(inner) || (inner.type !== "CallExpression" && inner.type !== "AssignmentExpression")) return;
    const callee = inner["callee"];
    if (isNode(callee) && callee.type === "Super") return;
    this.#replace(this.#node, null);
  }
}

const isText = (node: Node): boolean => node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node["value"] === "string");

/** Tells whether a statement only throws, returns or moves on: the body of a guard. */
function leaves(node: Node): boolean {
  if (node.type === "BlockStatement") {
    const body = node["body"];
    return Array.isArray(body) && body.length > 0 && isNode(body.at(-1)) && leaves(body.at(-1) as Node);
  }
  return ["ThrowStatement", "ReturnStatement", "ContinueStatement", "BreakStatement"].includes(node.type);
}

/** All mutants of a TypeScript file, in the order of their start, outer ones first. @throws Error when it cannot be parsed */
export function findMutants(path: string, text: string): Mutant[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found: Mutant[] = [];
  const visit = (node: Node): void => {
    found.push(...new NodeMutants(text, node).found);
    for (const child of children(node)) visit(child);
  };
  visit(program as unknown as Node);
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** The file with every mutant in it, each behind its switch; the numbers count on from `first`. */
export function instrument(text: string, mutants: readonly Mutant[], first: number): string {
  /** Writes the text of a range with the mutants from index `at` on that lie within. @returns the text and the next index */
  const write = (start: number, end: number, at: number): [string, number] => {
    let written = "";
    let from = start;
    let next = at;
    for (let mutant = mutants[next]; mutant && mutant.start < end; mutant = mutants[next]) {
      const same = mutants.slice(next).filter((other) => other.start === mutant.start && other.end === mutant.end);
      const numbers = same.map((_, nth) => first + next + nth);
      const [inner, after] = write(mutant.start, mutant.end, next + same.length);
      written += text.slice(from, mutant.start) + withSwitches(inner, same, numbers);
      from = mutant.end;
      next = after;
    }
    return [written + text.slice(from, end), next];
  };
  return write(0, text.length, 0)[0];
}

/** One range with its mutants: a conditional expression, or a statement that can be left out. */
function withSwitches(inner: string, mutants: readonly Mutant[], numbers: readonly number[]): string {
  return mutants.reduce(
    (written, { replacement }, nth) =>
      replacement === null
        ? `{ if (!${SWITCH}(${numbers[nth]})) { ${written} } }`
        : `(${SWITCH}(${numbers[nth]}) ? (${replacement}) : (${written}))`,
    inner,
  );
}

/** Describes a mutant in one line: its place, the original text and the replacement. */
export function describeMutant(path: string, text: string, { start, end, replacement }: Mutant): string {
  const line = text.slice(0, start).split("\n").length;
  const short = (part: string): string => part.replaceAll(/\s+/g, " ").slice(0, 100);
  return `${path}:${line}: ${short(text.slice(start, end))} -> ${replacement === null ? "(removed)" : short(replacement)}`;
}
