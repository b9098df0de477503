/** Names a device by its user agent, in a few words that its owner recognises. */

type Named = readonly (readonly [name: string, sign: RegExp])[];

/** The first match counts: most browsers also name those they descend from. */
const BROWSERS: Named = [
  ["Kuroshio", /Kuroshio\//],
  ["Edge", /Edg(?:A|iOS)?\//],
  ["Opera", /OPR\/|Opera/],
  ["Samsung Internet", /SamsungBrowser\//],
  ["LINE", /\bLine\//],
  ["Firefox", /Firefox\/|FxiOS\//],
  ["Chrome", /Chrome\/|CriOS\/|Chromium\//],
  ["Safari", /Safari\//],
];
const SYSTEMS: Named = [
  ["iPad", /iPad/],
  ["iPhone", /iPhone|iPod/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["ChromeOS", /CrOS/],
  ["macOS", /Macintosh|Mac OS X/],
  ["Linux", /Linux/],
];
/** Longer user agents are not read to their end. */
const MOST = 400;

const nameIn = (names: Named, agent: string): string | undefined => names.find(([, sign]) => sign.test(agent))?.[0];

/** Such as `Chrome, Android`; empty when neither browser nor system is known. */
export function deviceName(agent: string | null): string {
  const text = (agent ?? "").slice(0, MOST);
  return [nameIn(BROWSERS, text), nameIn(SYSTEMS, text)].filter((name) => name !== undefined).join(", ");
}

/** An address of which enough is left to recognise one's own: `203.0.*.*`, `2001:db8:*`. */
export function maskAddress(address: string): string {
  const parts = address.split(address.includes(":") ? ":" : ".");
  if (parts.length === 1) return "";
  return address.includes(":") ? `${parts.slice(0, 2).join(":")}:*` : `${parts.slice(0, 2).join(".")}.*.*`;
}
