/** Copy trading: the mentors with their fills, and what the member follows with what was copied. Read again at each fact, and at intervals while shown. */
import { filter, merge } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { isCopyFact } from "#contract/fact-kind.ts";
import type { Copy, CopyPart } from "#contract/copy.ts";
import type { MentorFill } from "#contract/mentor-record.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { withNewest } from "./newest.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { keptByKey, resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";
import { everyWhileVisible } from "./while-visible.ts";

export type Mentors = Answer<"listMentors">;
export type Copies = Answer<"listCopies">;

/** Mentors trade without a fact to the member, and prices move what is held: both are looked at again while they are shown. */
const MENTORS_EVERY_MS = 15_000;
const STANDS_EVERY_MS = 5_000;

const copyFacts$ = facts$.pipe(filter(isCopyFact));

const mentors: Resource<Mentors> = resource<Mentors>({
  load: () => call("listMentors", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Mentors>(merge(copyFacts$, everyWhileVisible(MENTORS_EVERY_MS)), () => mentors),
});

const copies: Resource<Copies> = resource<Copies>({
  load: () => call("listCopies", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Copies>(merge(copyFacts$, everyWhileVisible(STANDS_EVERY_MS)), () => copies),
});

const partsOf: (copyNo: string) => PagedResource<CopyPart> = keptByKey((copyNo: string) =>
  pagedResource<CopyPart>({
    load: (cursor) => call("listCopyParts", { copyNo, cursor }, { shownByCaller: true }),
    deltas$: refetchAfter<Pages<CopyPart>>(copyFacts$, () => partsOf(copyNo)),
    keyOf: ({ id }) => String(id),
  }),
);

/** Takes a command's answer, without waiting for its fact. */
export function takeCopy(copy: Copy): void {
  copies.change(withNewest("copies", copy, "copyNo"));
  mentors.refetch();
}

/** Every published fill of a mentor; null when they could not be read. */
export async function readAllFills(mentorNo: string): Promise<MentorFill[] | null> {
  const fills: MentorFill[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof call<"listMentorFills">>> = await call(
      "listMentorFills",
      { mentorNo, cursor },
      { shownByCaller: true },
    );
    if (!page.ok) return null;
    fills.push(...page.data.items);
    cursor = page.data.next;
    if (cursor === null) return fills;
  }
}

/** The mentors, in a component. */
export const useMentors = (): Read<Mentors> => useResource(mentors);

/** What the member follows, in a component. */
export const useCopies = (): Read<Copies> => useResource(copies);

/** What was copied of one mentor, in a component, page by page. */
export const useCopyParts = (copyNo: string): ReadPages<CopyPart> => usePages(partsOf(copyNo));
