/** The member's desk and workspaces: changes show at once and are then saved on the server. */
import { MAX_WORKSPACES } from "#contract/desk.ts";
import type { Desk, Desks, Workspace } from "#contract/desk.ts";
import { call } from "#src/gateway/api.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";
import { serialQueue, showFailure } from "./serial-queue.ts";

/** The desk as it was left, and the saved workspaces. */
const desks: Resource<Desks> = resource<Desks>({
  load: () => call("readDesks", {}, { shownByCaller: true }),
});

const enqueue = serialQueue();
/** A resized pane reports many sizes; only the last one is worth saving. */
const SAVE_AFTER_MS = 400;
let timer: ReturnType<typeof setTimeout> | undefined;

function save(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    // Without reading them first, workspaces that are not known here would be lost.
    const { value } = desks.now();
    if (value) void enqueue(() => call("saveDesks", value), showFailure);
  }, SAVE_AFTER_MS);
}

function change(next: (known: Desks) => Desks): void {
  desks.change(next);
  save();
}

/** The desk was changed by the member. */
export function saveDesk(current: Desk): void {
  change((known) => ({ ...known, current }));
}

/** Workspaces with one more, or another desk under the same name; the same list when there is no room. */
export function withWorkspace(workspaces: readonly Workspace[], name: string, desk: Desk): Workspace[] {
  const saved: Workspace = { name, desk };
  if (workspaces.some((one) => one.name === name)) return workspaces.map((one) => (one.name === name ? saved : one));
  return workspaces.length < MAX_WORKSPACES ? [...workspaces, saved] : [...workspaces];
}

/** Save the desk under a name. */
export function saveWorkspace(name: string, desk: Desk): void {
  change((known) => ({ current: desk, workspaces: withWorkspace(known.workspaces, name, desk) }));
}

/** Give a workspace another name; one that already has it is replaced. */
export function renameWorkspace(from: string, to: string): void {
  change((known) => ({
    ...known,
    workspaces: known.workspaces
      .filter(({ name }) => name === from || name !== to)
      .map((one) => (one.name === from ? { ...one, name: to } : one)),
  }));
}

export function deleteWorkspace(name: string): void {
  change((known) => ({ ...known, workspaces: known.workspaces.filter((one) => one.name !== name) }));
}

/** Read the desk and the workspaces in a component. */
export function useDesks(): Read<Desks> {
  return useResource(desks);
}
