/** What the member changed about the shapes of each chart since the page was loaded, to undo and redo it. */
import { useSyncExternalStore } from "react";
import type { ChartShape } from "#contract/preference.ts";
import { sameMemberCheck } from "#src/streams/resource.ts";

/** A shape before and after a change; null where it did not exist. */
export interface ShapeStep {
  before: ChartShape | null;
  after: ChartShape | null;
}

interface Steps {
  done: readonly ShapeStep[];
  undone: readonly ShapeStep[];
  sameMember: () => boolean;
}

/** More steps back than anybody remembers. */
const MAX_STEPS = 50;

const byCode = new Map<string, Steps>();
const watchers = new Set<() => void>();
let newest: string | null = null;

/** Another member starts with nothing to undo. */
function stepsOf(code: string): Steps {
  const known = byCode.get(code);
  return known?.sameMember() ? known : { done: [], undone: [], sameMember: sameMemberCheck() };
}

function put(code: string, steps: Steps): void {
  byCode.set(code, steps);
  newest = code;
  for (const watcher of watchers) watcher();
}

/** Remembers a change that was just made; what was undone before it can no longer be redone. */
export function noteStep(code: string, step: ShapeStep): void {
  const { done, sameMember } = stepsOf(code);
  put(code, { done: [...done, step].slice(-MAX_STEPS), undone: [], sameMember });
}

/** Takes the latest change back. @returns that change, for the caller to apply `before`; null for none */
export function undoStep(code: string): ShapeStep | null {
  const { done, undone, sameMember } = stepsOf(code);
  const step = done.at(-1);
  if (!step) return null;
  put(code, { done: done.slice(0, -1), undone: [...undone, step], sameMember });
  return step;
}

/** Makes the change that was undone last again. @returns that change, for the caller to apply `after`; null for none */
export function redoStep(code: string): ShapeStep | null {
  const { done, undone, sameMember } = stepsOf(code);
  const step = undone.at(-1);
  if (!step) return null;
  put(code, { done: [...done, step], undone: undone.slice(0, -1), sameMember });
  return step;
}

/** Tells whether this is the instrument whose shapes were changed last. */
export const changedLast = (code: string): boolean => newest === code;

const watch = (changed: () => void): (() => void) => {
  watchers.add(changed);
  return () => void watchers.delete(changed);
};

/** Whether there is something to undo and to redo, in a component. */
export function useSteps(code: string): { canUndo: boolean; canRedo: boolean } {
  const state = useSyncExternalStore(watch, () => `${stepsOf(code).done.length > 0} ${stepsOf(code).undone.length > 0}`);
  const [canUndo, canRedo] = state.split(" ").map((one) => one === "true");
  return { canUndo: canUndo === true, canRedo: canRedo === true };
}

/** The shapes with one of them as it is to be: added, replaced, or (null) removed. */
export function withShape(shapes: readonly ChartShape[], id: string, to: ChartShape | null): ChartShape[] {
  if (to === null) return shapes.filter((one) => one.id !== id);
  return shapes.some((one) => one.id === id) ? shapes.map((one) => (one.id === id ? to : one)) : [...shapes, to];
}
