/** `ops config`: the settings of this broker. Clients read the public ones before they start; the limit of commands applies within seconds. */
import { query } from "#server/db/database.ts";
import { always, never, NotDone } from "./command.ts";
import type { Command } from "./command.ts";

interface Setting {
  /** Whether clients may read it. */
  open: boolean;
  what: string;
  isValid: (value: string) => boolean;
}

const LONGEST = 200;
const hasText = (value: string): boolean => value.trim() !== "" && value.length <= LONGEST;

/** Tells whether a text is a link that opens customer service. */
function isLink(value: string): boolean {
  return value.length <= LONGEST && /^(https:\/\/[^/\s]|mailto:[^@\s]+@|tel:\+?\d)\S*$/.test(value);
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  title: { open: true, what: "a text of 1 to 200 characters", isValid: hasText },
  logo: { open: true, what: "a path below the origin, such as /logo.svg", isValid: (value) => /^\/[\w./-]{1,199}$/.test(value) },
  customerService: { open: true, what: "an https:, mailto: or tel: link", isValid: isLink },
  commandsPerSecond: { open: false, what: "a whole number from 1 to 1000", isValid: (value) => /^([1-9]\d{0,2}|1000)$/.test(value) },
};
const NAMES = Object.keys(SETTINGS).join(", ");

export const configurationCommands: readonly Command[] = [
  {
    name: "config list",
    usage: "",
    what: "show the settings",
    audited: never,
    async run({ db, say }) {
      const rows = await query<{ name: string; value: string }>(db.kysely, "SELECT name, value FROM setting ORDER BY name");
      for (const { name, value } of rows) say(`${name}=${value}`);
    },
  },
  {
    name: "config set",
    usage: "NAME VALUE",
    what: `change a setting: ${NAMES}`,
    audited: always,
    async run({ act }, { words: [name = "", value, ...more] }) {
      const setting = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
      if (!setting) throw new NotDone(`There is no setting ${name}; there are ${NAMES}.`);
      if (value === undefined || more.length > 0 || !setting.isValid(value)) throw new NotDone(`${name} is ${setting.what}.`);
      await act(async (tx) => {
        const [before] = await query<{ value: string }>(tx, "SELECT value FROM setting WHERE name = $1 FOR UPDATE", [name]);
        await query(
          tx,
          "INSERT INTO setting (name, value, open) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET value = excluded.value, open = excluded.open",
          [name, value, setting.open],
        );
        return { subject: name, before: before ? { value: before.value } : null, after: { value }, lines: [`${name}=${value}`] };
      });
    },
  },
];
