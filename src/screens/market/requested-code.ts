/** Which instrument a key is for: the one the address asks for, although the screen may still show the one before. */

/** The code in the address now, as a key finds it: a fast typist is ahead of the screen. @param shown when the address names none */
export function askedCode(shown: string): string {
  return new URLSearchParams(window.location.hash.split("?")[1]).get("code") ?? shown;
}
