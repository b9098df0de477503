/** Translates a refusal: by its code, by its exact Chinese text, clause by clause, or unchanged. */
import i18next from "i18next";
import type { Refused } from "#contract/kernel/reply.ts";

/** The parts of a refusal its text depends on. */
export type TranslatableRefusal = Pick<Refused, "code" | "params" | "msg">;

interface Template {
  key: string;
  pattern: RegExp;
  names: string[];
}

interface Catalogue {
  exact: ReadonlyMap<string, string>;
  templates: readonly Template[];
}

let catalogue: Promise<Catalogue> | null = null;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function templateOf(key: string, text: string): Template {
  const names = [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const source = text
    .split(/\{\w+\}/)
    .map(escaped)
    .join("(.+?)");
  return { key, pattern: new RegExp(`^${source}$`), names };
}

/** The Chinese texts indexed by content; loaded only when a reply brings a message without a known code. */
function loadCatalogue(): Promise<Catalogue> {
  catalogue ??= Promise.all([import("#contract/kernel/refusal.ts"), import("#contract/kernel/operation.ts")]).then(
    ([{ refusals }, { operations }]) => {
      const exact = new Map<string, string>();
      const templates: Template[] = [];
      const enter = (key: string, text: string): void => {
        if (text.includes("{")) templates.push(templateOf(key, text));
        else exact.set(text, key);
      };
      for (const [code, text] of Object.entries(refusals)) enter(`refusal.${code}`, text);
      for (const [code, text] of Object.entries(operations)) enter(`operation.${code}`, text);
      return { exact, templates };
    },
  );
  return catalogue;
}

/** Translate a key that is only known at run time; null where no language has it. */
function translate(key: string, params: Refused["params"] = {}): string | null {
  return i18next.exists(key) ? i18next.t(key, { defaultValue: key, replace: params }) : null;
}

function pieceText(piece: string, known: Catalogue): string | null {
  const exact = known.exact.get(piece);
  if (exact !== undefined) return translate(exact);
  for (const template of known.templates) {
    const match = template.pattern.exec(piece);
    if (match) return translate(template.key, Object.fromEntries(template.names.map((name, at) => [name, match[at + 1] ?? ""])));
  }
  return null;
}

/**
 * Translate a server's Chinese message that came without a code: whole, as a template with parameters, or clause by clause.
 * An unknown text is returned unchanged.
 */
export async function messageText(msg: string): Promise<string> {
  const known = await loadCatalogue();
  const whole = pieceText(msg.trim(), known);
  if (whole !== null) return whole;
  const clauses = msg.split(/[，。；！]/).filter((clause) => clause.trim() !== "");
  const texts = clauses.map((clause) => pieceText(clause.trim(), known));
  const complete = texts.filter((text) => text !== null);
  return clauses.length > 0 && complete.length === texts.length ? complete.join(". ") : msg;
}

/** The text of a refusal without waiting: by its code, else its original message. */
export function refusalTextNow(refused: TranslatableRefusal): string {
  return translate(`refusal.${refused.code}`, refused.params) ?? refused.msg;
}

/** The text of a refusal by its code, else by its Chinese message. */
export async function refusalText(refused: TranslatableRefusal): Promise<string> {
  return translate(`refusal.${refused.code}`, refused.params) ?? (await messageText(refused.msg));
}
