/** Handlers of push subscriptions: the key they are made with, and starting and ending one. */
import { Refusal } from "#server/kernel/refusal.ts";
import { isEndpointAllowed } from "#server/push/public-address.ts";
import type { Push } from "#server/push/push.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Handlers } from "./handler.ts";

export interface PushHandlerDeps {
  push: Pick<Push, "publicKey" | "policy" | "subscriptions">;
  sequencer: Pick<Sequencer, "countCommand">;
}

export function pushSubscriptionHandlers({
  push,
  sequencer,
}: PushHandlerDeps): Pick<Handlers, "readPushKey" | "subscribePush" | "unsubscribePush"> {
  return {
    readPushKey: () => Promise.resolve({ key: push.publicKey }),
    async subscribePush({ caller: { memberId, sessionHash } }, body) {
      sequencer.countCommand(memberId);
      if (!isEndpointAllowed(body.endpoint, push.policy)) throw new Refusal("GEN_PARAM_ERROR", {}, "endpoint");
      await push.subscriptions.put({ memberId, sessionHash }, body);
      return null;
    },
    async unsubscribePush({ caller: { memberId } }, { endpoint }) {
      sequencer.countCommand(memberId);
      await push.subscriptions.remove(memberId, endpoint);
      return null;
    },
  };
}
