/** A group of viewers that get their batches in the same tick, indexed by the rows they watch. */
import type { Viewer } from "./viewer.ts";

export class DispatchSlot {
  readonly viewers = new Set<Viewer>();
  private readonly allViewers = new Set<Viewer>();
  private readonly watchers = new Map<number, Set<Viewer>>();
  private readonly dirty = new Set<number>();

  /** Marks changed rows as dirty, ignoring rows that no viewer here watches. */
  note(rows: readonly number[]): void {
    if (this.allViewers.size > 0) for (const row of rows) this.dirty.add(row);
    else for (const row of rows) if (this.watchers.has(row)) this.dirty.add(row);
  }

  join(viewer: Viewer): void {
    this.viewers.add(viewer);
    if (viewer.all) this.allViewers.add(viewer);
    this.watch(viewer, rowsOf(viewer));
  }

  leave(viewer: Viewer): void {
    this.viewers.delete(viewer);
    this.allViewers.delete(viewer);
    for (const row of rowsOf(viewer)) {
      const watching = this.watchers.get(row);
      watching?.delete(viewer);
      if (watching?.size === 0) this.watchers.delete(row);
    }
  }

  /** Passes dirty rows to their viewers: one pass over the changes, not over all viewers. */
  deliver(): void {
    for (const row of this.dirty) {
      for (const viewer of this.allViewers) viewer.changed(row);
      for (const viewer of this.watchers.get(row) ?? []) viewer.changed(row);
    }
    this.dirty.clear();
  }

  private watch(viewer: Viewer, rows: Iterable<number>): void {
    for (const row of rows) {
      const watching = this.watchers.get(row);
      if (watching) watching.add(viewer);
      else this.watchers.set(row, new Set([viewer]));
    }
  }
}

function rowsOf(viewer: Viewer): Set<number> {
  const rows = new Set(viewer.watched);
  for (const { row } of viewer.readers) if (row !== null) rows.add(row);
  return rows;
}
