/** News articles: lists by topic or instrument in pages, and single articles by id. */
import { filter, interval, map, tap } from "rxjs";
import type { NewsItem, NewsTopic } from "#contract/news.ts";
import { call } from "#src/gateway/api.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { keptByKey, resourceByKey, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

/** Articles are not pushed: a visible list is reloaded this often. */
const REFRESH_MS = 60_000;

interface NewsFilter {
  topic: NewsTopic | null;
  code: string | null;
}

/** Articles of one topic, about one instrument, or all; the key is the filter as JSON. */
const newsOf = keptByKey((key: string): PagedResource<NewsItem> => {
  const { topic, code } = JSON.parse(key) as NewsFilter;
  const list: PagedResource<NewsItem> = pagedResource<NewsItem>({
    load: (cursor) => call("listNews", { topic, code, cursor }, { shownByCaller: true }),
    deltas$: interval(REFRESH_MS).pipe(
      filter(() => document.visibilityState === "visible"),
      tap(() => list.refetch()),
      map(() => (same: Pages<NewsItem>) => same),
    ),
    keyOf: ({ id }) => id,
  });
  return list;
});

const articleOf: (id: string) => Resource<NewsItem> = resourceByKey((id: string) => ({
  load: () => call("readNews", { id }, { shownByCaller: true }),
}));

/** Read a list of articles in a component, page by page, newest first. */
export function useNews(topic: NewsTopic | null, code: string | null): ReadPages<NewsItem> {
  return usePages(newsOf(JSON.stringify({ topic, code } satisfies NewsFilter)));
}

/** Read one article in a component. */
export function useArticle(id: string): Read<NewsItem> {
  return useResource(articleOf(id));
}
