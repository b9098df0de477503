/** Tells whether a key belongs to a field, an overlay or the browser, so that it is no shortcut of the screen. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  return event.target instanceof Element && event.target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
}
