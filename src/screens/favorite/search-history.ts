/** What was opened from the search, newest first; in memory only, because local storage holds five keys and no more. */
const MOST = 8;

let codes: readonly string[] = [];

/** The codes, newest first. */
export function searched(): readonly string[] {
  return codes;
}

/** Put a code first. */
export function remember(code: string): void {
  codes = [code, ...codes.filter((one) => one !== code)].slice(0, MOST);
}

/** Empty the history. */
export function forget(): void {
  codes = [];
}
