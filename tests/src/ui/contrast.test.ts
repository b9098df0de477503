/** Tests the colour tokens' contrast ratios: text at least 4.5, control edges at least 3, in both themes. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL(import.meta.resolve("#src/styles/tokens.css")), "utf8");

/** The hex colours of the first block with this selector. */
function block(selector: string): Map<string, string> {
  const from = css.indexOf(`${selector} {`);
  const body = css.slice(from, css.indexOf("}", from));
  return new Map([...body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/g)].map((match) => [match[1] ?? "", match[2] ?? ""]));
}

/** The colours that the direction tokens refer to in a colour convention's block. */
function words(selector: string): Map<string, string> {
  const all = css.split(`${selector} {`).slice(1);
  const body = all.find((one) => one.includes("--up:")) ?? "";
  return new Map(
    [...body.slice(0, body.indexOf("}")).matchAll(/--([\w-]+):\s*var\(--([\w-]+)\)/g)].map((match) => [match[1] ?? "", match[2] ?? ""]),
  );
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const light = block(":root");
const dark = new Map([...light, ...block(':root[data-theme="dark"]')]);
const grounds = ["canvas", "surface", "raised", "sunken"];
const hues = ["red", "green", "orange", "blue"];

describe.each([
  ["light", light],
  ["dark", dark],
] as const)("%s tokens", (_, tokens) => {
  const ratio = (one: string, other: string): number => {
    const [first, second] = [tokens.get(one), tokens.get(other)];
    if (first === undefined || second === undefined) throw new Error(`no token ${one} or ${other}`);
    return contrast(first, second);
  };

  it.each(grounds.flatMap((ground) => ["text", "text-2", "accent"].map((text) => [text, ground])))(
    "%s is legible on %s",
    (text, ground) => {
      expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each(["canvas", "surface", "raised"].flatMap((ground) => ["text-3", "warn", ...hues].map((text) => [text, ground])))(
    "%s is legible on %s",
    (text, ground) => {
      expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each(["warn", "accent", ...hues].map((hue) => [hue, `${hue}-tint`]))("%s is legible on %s", (hue, tint) => {
    expect(ratio(hue, tint)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["accent-fill", ...hues.map((hue) => `${hue}-fill`)])("white is legible on %s", (fill) => {
    expect(ratio("on-fill", fill)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["1", "2", "3", "4", "5"].flatMap((n) => ["surface", "raised"].map((ground) => [`study-${n}`, ground])))(
    "%s is legible on %s",
    (study, ground) => {
      expect(ratio(study, ground)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it("a toast is legible: canvas on text", () => expect(ratio("canvas", "text")).toBeGreaterThanOrEqual(4.5));

  it.each(["surface", "raised"])("the edge of a control is visible on %s", (ground) => {
    expect(ratio("line-strong", ground)).toBeGreaterThanOrEqual(3);
  });
});

describe("colour conventions", () => {
  const conventions = {
    "red-up": words(":root"),
    "green-up": words(':root[data-updown="green-up"]'),
    safe: words(':root[data-updown="safe"]'),
  };

  it("define the hues for up and down", () => {
    expect(conventions["red-up"].get("up")).toBe("red");
    expect(conventions["red-up"].get("down")).toBe("green");
    expect(conventions["green-up"].get("up")).toBe("green");
    expect(conventions["green-up"].get("down")).toBe("red");
    expect(conventions.safe.get("up")).toBe("orange");
    expect(conventions.safe.get("down")).toBe("blue");
  });

  it("keep fill and tint with their hue", () => {
    for (const convention of Object.values(conventions)) {
      for (const way of ["up", "down"]) {
        const hue = convention.get(way) ?? "";
        expect([convention.get(`${way}-fill`), convention.get(`${way}-tint`)]).toEqual([`${hue}-fill`, `${hue}-tint`]);
      }
    }
  });

  it("leave danger red", () => {
    expect(conventions["red-up"].get("danger")).toBe("red");
    expect(conventions["green-up"].has("danger") || conventions.safe.has("danger")).toBe(false);
  });
});
