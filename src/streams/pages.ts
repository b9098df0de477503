/** Paged lists: the first page is a resource kept up to date, older pages are appended. */
import { useEffect, useEffectEvent, useState } from "react";
import type { Outcome } from "#src/gateway/api.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource, ResourceSource } from "./resource.ts";

/** The loaded part of a list: its first items and the next cursor; null when the list is complete. */
export interface Pages<Item> {
  items: readonly Item[];
  next: string | null;
}

export interface PagesSource<Item> {
  load: (cursor: string | null) => Promise<Outcome<{ items: Item[]; next: string | null }>>;
  deltas$?: NonNullable<ResourceSource<Pages<Item>>["deltas$"]>;
  /** Identifies items, so that overlapping pages add nothing twice. */
  keyOf: (item: Item) => string;
}

export interface PagedResource<Item> extends Resource<Pages<Item>> {
  /** Load the next page. Resolves to whether it succeeded (also when none was left). */
  more: () => Promise<boolean>;
}

function joined<Item>(before: Pages<Item>, page: Pages<Item>, keyOf: (item: Item) => string): Pages<Item> {
  const known = new Set(before.items.map(keyOf));
  return { items: [...before.items, ...page.items.filter((item) => !known.has(keyOf(item)))], next: page.next };
}

/** A new first page followed by the older pages loaded before, if the two overlap. */
function renewed<Item>(page: Pages<Item>, before: Pages<Item> | null, keyOf: (item: Item) => string): Pages<Item> {
  const last = page.items.at(-1);
  if (!before || !last) return page;
  const at = before.items.findIndex((item) => keyOf(item) === keyOf(last));
  const older = at < 0 ? [] : before.items.slice(at + 1);
  return older.length === 0 ? page : joined(page, { items: older, next: before.next }, keyOf);
}

/** A paged list. */
export function pagedResource<Item>(source: PagesSource<Item>): PagedResource<Item> {
  const first: Resource<Pages<Item>> = resource<Pages<Item>>({
    load: async () => {
      const outcome = await source.load(null);
      return outcome.ok ? { ...outcome, data: renewed(outcome.data, first.now().value, source.keyOf) } : outcome;
    },
    ...(source.deltas$ ? { deltas$: source.deltas$ } : {}),
  });
  let reading: Promise<boolean> | null = null;
  const readMore = async (cursor: string): Promise<boolean> => {
    const outcome = await source.load(cursor);
    if (!outcome.ok) return false;
    // A list that was reloaded meanwhile has another cursor: the page no longer follows it.
    const join: Delta<Pages<Item>> = (pages) => (pages.next === cursor ? joined(pages, outcome.data, source.keyOf) : pages);
    first.change(join);
    return true;
  };
  return {
    ...first,
    more: () => {
      const cursor = first.now().value?.next ?? null;
      if (cursor === null) return Promise.resolve(true);
      reading ??= readMore(cursor).finally(() => {
        reading = null;
      });
      return reading;
    },
  };
}

export interface ReadPages<Item> extends Read<Pages<Item>> {
  more: () => void;
  /** Whether a page is loading, or the last attempt failed. */
  moreState: "idle" | "loading" | "failed";
}

/** Read a list in a component, page by page. */
export function usePages<Item>(list: PagedResource<Item>): ReadPages<Item> {
  const read = useResource<Pages<Item>>(list);
  const [request, setRequest] = useState<{ list: PagedResource<Item>; state: ReadPages<Item>["moreState"] }>({ list, state: "idle" });
  const more = (): void => {
    setRequest({ list, state: "loading" });
    // The answer for a list shown before must not change the state of this one.
    void list.more().then((loaded) => setRequest((now) => (now.list === list ? { list, state: loaded ? "idle" : "failed" } : now)));
  };
  return { ...read, more, moreState: request.list === list ? request.state : "idle" };
}

/** Loads page after page as long as what is shown wants more: where a screen shows only some of the items, none may be on the first page. */
export function usePagesWhile<Item>({ value, more, moreState }: ReadPages<Item>, wanted: boolean): void {
  const isDue = wanted && value !== null && value.next !== null && moreState === "idle";
  const load = useEffectEvent(more);
  useEffect(() => {
    if (isDue) load();
  }, [isDue]);
}
