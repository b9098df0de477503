/**
 * Resolves the locale keys that template literals of the client and the contract can produce, with the compiler: `t(`market.board.${board}`)` is one key per
 * board.
 */
import { join } from "node:path";
import { API } from "typescript/unstable/sync";
import type { Checker, Type } from "typescript/unstable/sync";
import { isTemplateExpression } from "typescript/unstable/ast/is";
import type { Node, TemplateExpression } from "typescript/unstable/ast";
import { ROOT, files } from "./tree.ts";

/** A template literal that starts like a locale key. */
export interface BuiltKey {
  /** Location, for failure messages. */
  place: string;
  /** The text before the first placeholder. */
  head: string;
  /** All keys it can produce; null if the compiler cannot enumerate them. */
  keys: string[] | null;
}

const HEAD = /^[a-z]\w*(?:\.[\w-]+)*\.$/;
/** `${of}.field.amount`: a key of one of several nouns. */
const AFTER_NOUN = /^\.[\w.-]+$/;

const isOfNoun = ({ head, templateSpans }: TemplateExpression): boolean =>
  head.text === "" && AFTER_NOUN.test(templateSpans[0]?.literal.text ?? "");

function templatesIn(node: Node): TemplateExpression[] {
  const found: TemplateExpression[] = [];
  const visit = (one: Node): void => {
    if (isTemplateExpression(one) && (HEAD.test(one.head.text) || isOfNoun(one))) found.push(one);
    one.forEachChild(visit);
  };
  visit(node);
  return found;
}

function membersOf(type: Type): string[] | null {
  if (type.isStringLiteralType()) return [type.value];
  if (!type.isUnionType()) return null;
  const members = type.getTypes().map(membersOf);
  return members.some((one) => one === null) ? null : members.flatMap((one) => one ?? []);
}

function builtIn(path: string, text: string, templates: readonly TemplateExpression[], checker: Checker): BuiltKey[] {
  return templates.flatMap((template) => {
    const type = checker.getTypeAtLocation(template);
    const line = text.slice(0, template.getStart()).split("\n").length;
    const keys = type ? membersOf(type) : null;
    // Without a head, what the compiler cannot enumerate is no key but a path or a number.
    return keys === null && isOfNoun(template) ? [] : [{ place: `${path}:${line}`, head: template.head.text, keys }];
  });
}

/** The rooms that build keys: the client, and the contract for the texts that the server needs too. */
const ROOMS = ["src", "contract"];

function builtInRoom(api: API, room: string): BuiltKey[] {
  const config = join(ROOT, room, "tsconfig.json");
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (!project) throw new Error(`the compiler does not open ${room}`);
  return files
    .filter(({ path }) => path.startsWith(`${room}/`) && /\.tsx?$/.test(path))
    .flatMap(({ path, text }) => {
      const source = project.program.getSourceFile(join(ROOT, path));
      return source ? builtIn(path, text, templatesIn(source), project.checker) : [];
    });
}

/** Every template literal of these rooms that starts like a locale key. */
export function builtKeys(): BuiltKey[] {
  const api = new API({ cwd: ROOT });
  try {
    return ROOMS.flatMap((room) => builtInRoom(api, room));
  } finally {
    api.close();
  }
}
