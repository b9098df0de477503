/** The member's workspace and the saved ones: changes show at once and are then saved on the server. */
import { MAX_SAVED } from "#contract/workspace.ts";
import type { Workspace, Workspaces, SavedWorkspace } from "#contract/workspace.ts";
import { call, lastCall } from "#src/gateway/api.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";
import { serialQueue, showFailure } from "./serial-queue.ts";

/** Saves while the page is left; null until the workspaces are read. */
let saveLast: ((body: Workspaces) => void) | null = null;

/** The workspace as it was left, and those saved by name. */
const workspaces: Resource<Workspaces> = resource<Workspaces>({
  load: () => {
    void lastCall("saveWorkspaces").then((ready) => (saveLast = ready));
    return call("readWorkspaces", {}, { shownByCaller: true });
  },
});

const enqueue = serialQueue();
/** A resized pane reports many sizes; only the last one is worth saving. */
const SAVE_AFTER_MS = 400;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Whether a change is not known to be saved. A call under way does not count: a page that leaves cancels it. */
let isUnsaved = false;

function save(): void {
  isUnsaved = true;
  clearTimeout(timer);
  timer = setTimeout(send, SAVE_AFTER_MS);
}

function send(): void {
  timer = undefined;
  // Without reading them first, saved ones that are not known here would be lost.
  const { value } = workspaces.now();
  if (!value) return;
  void enqueue(
    () => call("saveWorkspaces", value),
    (outcome) => {
      showFailure(outcome);
      if (outcome.ok && value === workspaces.now().value) isUnsaved = false;
    },
  );
}

/** The page may be leaving: what is not saved is sent now, past the queue, whose answers may never be seen. */
function sendNow(): void {
  const { value } = workspaces.now();
  if (!isUnsaved || !value || !saveLast) return;
  clearTimeout(timer);
  timer = undefined;
  isUnsaved = false;
  saveLast(value);
}

window.addEventListener("pagehide", sendNow);
document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && sendNow());

function change(next: (known: Workspaces) => Workspaces): void {
  workspaces.change(next);
  save();
}

/** The workspace was changed by the member. */
export function saveCurrent(current: Workspace): void {
  change((known) => ({ ...known, current }));
}

/** The saved ones with one more, or with another under the same name; the same list when there is no room. */
export function withSaved(saved: readonly SavedWorkspace[], name: string, workspace: Workspace): SavedWorkspace[] {
  const added: SavedWorkspace = { name, workspace };
  if (saved.some((one) => one.name === name)) return saved.map((one) => (one.name === name ? added : one));
  return saved.length < MAX_SAVED ? [...saved, added] : [...saved];
}

/** Save the workspace under a name. */
export function saveWorkspace(name: string, workspace: Workspace): void {
  change((known) => ({ current: workspace, saved: withSaved(known.saved, name, workspace) }));
}

/** Give a workspace another name; one that already has it is replaced. */
export function renameWorkspace(from: string, to: string): void {
  change((known) => ({
    ...known,
    saved: known.saved.filter(({ name }) => name === from || name !== to).map((one) => (one.name === from ? { ...one, name: to } : one)),
  }));
}

export function deleteWorkspace(name: string): void {
  change((known) => ({ ...known, saved: known.saved.filter((one) => one.name !== name) }));
}

/** Read them in a component. */
export function useWorkspaces(): Read<Workspaces> {
  return useResource(workspaces);
}
