/** Sparklines without React renders: the worker sends paths, which are written to the nodes that show them. */
import { onWorkerMessage, post } from "./worker-link.ts";

const nodes = new Map<string, Set<SVGPathElement>>();
const shown = new Set<string>();
const hidden = new Set<string>();
let scheduled = false;

/** Send what came on screen and left it in the current task as one message. */
function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    if (shown.size > 0 || hidden.size > 0) post({ kind: "sparklines", shown: [...shown], hidden: [...hidden] });
    shown.clear();
    hidden.clear();
  });
}

/** Let a path show an instrument's line from now on. @returns a function that stops it */
export function showSparkline(code: string, node: SVGPathElement): () => void {
  const own = nodes.get(code) ?? new Set();
  nodes.set(code, own.add(node));
  if (!hidden.delete(code)) shown.add(code);
  schedule();
  return () => {
    own.delete(node);
    if (own.size > 0) return;
    nodes.delete(code);
    if (!shown.delete(code)) hidden.add(code);
    schedule();
  };
}

onWorkerMessage("sparklines", ({ lines }) => {
  for (const [code, path, tone] of lines) {
    for (const node of nodes.get(code) ?? []) {
      node.setAttribute("d", path);
      node.setAttribute("data-side", tone);
    }
  }
});
