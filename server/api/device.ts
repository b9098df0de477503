/** Handlers of the devices a member is signed in on. */
import { epochMs } from "#contract/kernel/time.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { Handlers } from "./handler.ts";
import { maskAddress } from "./session/device-name.ts";
import type { SessionStore } from "./session-store.ts";

export interface DeviceHandlerDeps {
  sessions: SessionStore;
  security?: NoteSecurity;
}

const ID_LENGTH = 16;
/** The key of a session stays on the server; its beginning is enough to name one of a member's few. */
const idOf = (sessionHash: string): string => sessionHash.slice(0, ID_LENGTH);

export function deviceHandlers({
  sessions,
  security = () => undefined,
}: DeviceHandlerDeps): Pick<Handlers, "listDevices" | "signOutDevice" | "signOutOthers"> {
  return {
    async listDevices({ caller: { memberId, sessionHash, shared } }) {
      const rows = await sessions.list(memberId);
      const seen = shared ? rows.filter(({ hash }) => hash === sessionHash) : rows;
      return seen
        .map((row) => ({
          id: idOf(row.hash),
          device: row.device,
          address: maskAddress(row.address),
          firstUsedAt: epochMs(row.created_at),
          lastUsedAt: epochMs(row.last_used_at ?? row.created_at),
          isThis: row.hash === sessionHash,
        }))
        .toSorted((a, b) => Number(b.isThis) - Number(a.isThis) || b.lastUsedAt - a.lastUsedAt);
    },
    async signOutDevice({ caller: { memberId, shared }, address }, { id }) {
      if (shared) throw new Refusal("ACC_SHARED");
      const session = (await sessions.list(memberId)).find(({ hash }) => idOf(hash) === id);
      if (!session) throw new Refusal("GEN_NOT_FOUND");
      await sessions.revoke(session.hash);
      security("sessionsEnded", { memberId, address, reason: "one" });
      return null;
    },
    async signOutOthers({ caller: { memberId, sessionHash, shared }, address }) {
      if (shared) throw new Refusal("ACC_SHARED");
      const sessionsEnded = await sessions.revokeAll(memberId, sessionHash);
      security("sessionsEnded", { memberId, address, reason: "others" });
      return { sessionsEnded };
    },
  };
}
