/** The typeface of PDF documents: one font with the usual characters, and small ones for what it lacks, chosen character by character. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type PdfDocument from "pdfkit";
import { unpackWoff } from "./unpack-woff.ts";

const require = createRequire(import.meta.url);
const PACKAGE = "@fontsource/noto-sans-tc";
/** The font with nearly everything; it lacks full-width punctuation and rare characters of names. */
const MAIN = "chinese-traditional";

const loaded = new Map<string, Buffer>();
/** Further fonts with the characters they have, as the package lists them: `[119]` → `U+20-22,U+ff0c`. */
let further: [string, [number, number][]][] | null = null;

function fontData(name: string): Buffer {
  const kept = loaded.get(name);
  if (kept) return kept;
  const font = unpackWoff(readFileSync(require.resolve(`${PACKAGE}/files/noto-sans-tc-${name}-400-normal.woff`)));
  loaded.set(name, font);
  return font;
}

function furtherFont(code: number): string | null {
  further ??= Object.entries(JSON.parse(readFileSync(require.resolve(`${PACKAGE}/unicode.json`), "utf8")) as Record<string, string>).map(
    ([name, list]) => [
      name.replaceAll(/[[\]]/g, ""),
      list.split(",").map((range) => {
        const [from = "", to = from] = range.trim().slice(2).split("-");
        return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
      }),
    ],
  );
  return further.find(([, ranges]) => ranges.some(([from, to]) => from <= code && code <= to))?.[0] ?? null;
}

interface Glyphs {
  hasGlyphForCodePoint(code: number): boolean;
}

/** The typeface of one document. */
export class PdfFont {
  readonly #pdf: InstanceType<typeof PdfDocument>;
  readonly #glyphs: Glyphs;
  readonly #registered = new Set<string>();

  constructor(pdf: InstanceType<typeof PdfDocument>) {
    this.#pdf = pdf;
    pdf.font(this.#register(MAIN));
    this.#glyphs = (Reflect.get(pdf, "_font") as { font: Glyphs }).font;
  }

  #register(name: string): string {
    if (!this.#registered.has(name)) this.#pdf.registerFont(name, fontData(name));
    this.#registered.add(name);
    return name;
  }

  #nameFor(character: string): string {
    const code = character.codePointAt(0) ?? 0;
    return this.#glyphs.hasGlyphForCodePoint(code) ? MAIN : (furtherFont(code) ?? MAIN);
  }

  /** The parts of a line with the font of each. */
  *runs(line: string): Generator<{ font: string; run: string }> {
    let run = "";
    let font = MAIN;
    for (const character of line) {
      const name = this.#nameFor(character);
      if (name !== font && run !== "") {
        yield { font: this.#register(font), run };
        run = "";
      }
      font = name;
      run += character;
    }
    if (run !== "") yield { font: this.#register(font), run };
  }
}
