/** The member's identity and its review; read again when a decision arrives. */
import { useEffect, useState } from "react";
import { filter } from "rxjs";
import { isIdentityFact } from "#contract/fact-kind.ts";
import type { Identity } from "#contract/identity.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

export const identity: Resource<Identity> = resource<Identity>({
  load: () => call("readIdentity", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Identity>(facts$.pipe(filter(isIdentityFact)), () => identity),
});

/** Read the identity in a component. */
export function useIdentity(): Read<Identity> {
  return useResource(identity);
}

/** One of the member's own photos as an address for an image; null until it is read, or when it was deleted. */
export function usePhoto(id: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const reading = new AbortController();
    void call("readPhoto", { id }, { shownByCaller: true, signal: reading.signal }).then((outcome) => {
      if (outcome.ok && !reading.signal.aborted) setUrl(`data:image/jpeg;base64,${outcome.data.content}`);
    });
    return () => reading.abort();
  }, [id]);
  return url;
}
