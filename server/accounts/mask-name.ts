/** Masks the middle of a name; of two characters the second. */
export function maskName(name: string): string {
  const letters = Array.from(name);
  if (letters.length < 2) return name;
  if (letters.length === 2) return `${letters[0] ?? ""}*`;
  return (letters[0] ?? "") + "*".repeat(letters.length - 2) + (letters.at(-1) ?? "");
}
