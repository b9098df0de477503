/** The member's inbox in pages, newest first; new messages are put in front as they arrive. */
import { map, merge } from "rxjs";
import type { Message } from "#contract/message.ts";
import { call } from "#src/gateway/api.ts";
import type { Outcome } from "#src/gateway/api.ts";
import { conditionFacts$, facts$, orderFacts$ } from "./facts.ts";
import { member } from "./member.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { resourceByKey, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";
import { refetchAfter } from "./refetch.ts";
import { serialQueue, showFailure } from "./serial-queue.ts";

function withNew(message: Message): Delta<Pages<Message>> {
  return (pages) => (pages.items.some(({ id }) => id === message.id) ? pages : { ...pages, items: [message, ...pages.items] });
}

/** The inbox. */
export const messages: PagedResource<Message> = pagedResource<Message>({
  load: (cursor) => call("listMessages", { cursor }, { shownByCaller: true }),
  deltas$: merge(
    facts$.pipe(map((fact) => ("message" in fact && fact.message ? withNew(fact.message) : (pages: Pages<Message>) => pages))),
    // What happened to an order becomes a message that its fact does not carry, and may replace an earlier one.
    refetchAfter<Pages<Message>>(merge(orderFacts$, conditionFacts$), () => messages),
  ),
  keyOf: ({ id }) => id,
});

const enqueue = serialQueue();

/** Read one message and mark it as read, locally and on the server. */
export async function readMessage(id: string): Promise<Outcome<Message>> {
  const read = () => call("readMessage", { id }, { shownByCaller: true });
  const outcome = await enqueue(read, (answer) => {
    if (!answer.ok) return;
    const { message, unread } = answer.data;
    messages.change((pages) => ({ ...pages, items: pages.items.map((one) => (one.id === message.id ? message : one)) }));
    member.change((known) => ({ ...known, unread }));
  });
  return outcome.ok ? { ...outcome, data: outcome.data.message } : outcome;
}

/** Mark every message as read. */
export function readAllMessages(): Promise<Outcome<{ unread: number }>> {
  return enqueue(
    () => call("readAllMessages", {}),
    (outcome) => {
      showFailure(outcome);
      if (!outcome.ok) return;
      messages.change((pages) => ({ ...pages, items: pages.items.map((one) => (one.read ? one : { ...one, read: true })) }));
      member.change((known) => ({ ...known, unread: outcome.data.unread }));
    },
  );
}

const messageOf: (id: string) => Resource<Message> = resourceByKey((id: string) => ({ load: () => readMessage(id) }));

/** Read the inbox in a component, page by page. */
export function useMessages(): ReadPages<Message> {
  return usePages(messages);
}

/** Read one message in a component, which marks it as read. */
export function useMessage(id: string): Read<Message> {
  return useResource(messageOf(id));
}
