/** The project's import graph, including type imports, and its circles. */
import { posix } from "node:path";
import type { TreeFile } from "./tree.ts";

/** The imports of each file or folder. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** The module specifiers of a script, static and dynamic. */
export function specifiers(text: string): string[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;"'`]*?from\s*"([^"]+)"|(?:^|\n)\s*import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/g,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** The imports of some files among each other. */
export function fileGraph(files: readonly TreeFile[]): ImportGraph {
  const known = new Set(files.map(({ path }) => path));
  const resolve = (from: string, specifier: string): string =>
    specifier.startsWith("#") ? specifier.slice(1) : posix.join(posix.dirname(from), specifier);
  return new Map(
    files.map(({ path, text }) => [path, new Set(specifiers(text).flatMap((name) => [resolve(path, name)].filter((to) => known.has(to))))]),
  );
}

/** The imports between the files and folders directly inside a folder. */
export function folderGraph(graph: ImportGraph, folder: string): ImportGraph {
  const partOf = (path: string): string | null =>
    path.startsWith(`${folder}/`) ? (path.split("/")[folder.split("/").length] ?? null) : null;
  const parts = new Map<string, Set<string>>();
  for (const [path, imports] of graph) {
    const from = partOf(path);
    if (from === null) continue;
    const targets = parts.get(from) ?? new Set();
    parts.set(from, targets);
    for (const one of imports) {
      const to = partOf(one);
      if (to !== null && to !== from) targets.add(to);
    }
  }
  return parts;
}

/** One circle of a graph, as a path back to its start; empty if there is none. */
export function findCircle(graph: ImportGraph): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return [];
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next);
      if (circle.length > 0) return circle;
    }
    path.pop();
    done.add(node);
    return [];
  };
  for (const node of graph.keys()) {
    const circle = visit(node);
    if (circle.length > 0) return circle;
  }
  return [];
}
