/** Finds which instrument a shortcut key is for: the one in the address, although the screen may still show the previous one. */

/** The code in the address now; a fast user is ahead of the screen. @param shown used when the address has none */
export function requestedCode(shown: string): string {
  return new URLSearchParams(window.location.hash.split("?")[1]).get("code") ?? shown;
}
