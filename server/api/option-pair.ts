/** Handlers of two option positions that are closed as one order. */
import { epochMs } from "#contract/kernel/time.ts";
import { closeOptionPair, preparePair, quoteOptionPair } from "#server/accounts/options/pair.ts";
import { readWallet } from "#server/trading/futures/margin.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import type { OptionHandlerDeps } from "./option.ts";

export function optionPairHandlers({ db, venue, sequencer }: OptionHandlerDeps): Pick<Handlers, "quoteOptionPair" | "closeOptionPair"> {
  return {
    async quoteOptionPair({ caller: { memberId } }, body) {
      const wallet = await readWallet(db.kysely, memberId);
      const at = epochMs(sequencer.now());
      return { ...quoteOptionPair({ venue, rules: sequencer.rules, at }, wallet, body), at };
    },
    closeOptionPair: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "closeOptionPair",
        memberId,
        body,
        ...deciding(
          (tx, batch) => preparePair(tx, batch, memberId, body),
          (batch, reads) => closeOptionPair(batch, memberId, body, reads),
        ),
      }),
  };
}
