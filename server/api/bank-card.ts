/** Handlers of bank cards: list, add with the fund password, default, remove. */
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { addCard, makeDefault, prepareCards, readCards, readHolder, removeCard } from "#server/accounts/bank-card.ts";
import type { CardsInBatch } from "#server/accounts/bank-card.ts";
import { isProven } from "#server/accounts/proven.ts";
import { readMemberFacts } from "#server/accounts/member-facts.ts";
import type { Database } from "#server/db/database.ts";
import { toCard } from "#server/records/withdrawal.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";

export interface BankCardHandlerDeps {
  db: Database;
  sequencer: Sequencer;
}

export function bankCardHandlers({
  db,
  sequencer,
}: BankCardHandlerDeps): Pick<Handlers, "listCards" | "addCard" | "setDefaultCard" | "removeCard"> {
  const sources = { rules: sequencer.rules, now: () => sequencer.now() };
  const onCards = <Result extends object>(
    endpoint: "setDefaultCard" | "removeCard",
    memberId: number,
    body: { requestId: string; cardId: string },
    decide: (batch: Parameters<typeof removeCard>[0], read: CardsInBatch) => Result,
  ): Promise<Result> => {
    return sequencer.commandAll<Result>({
      endpoint,
      memberId,
      body,
      ...deciding((tx, batch) => prepareCards(tx, batch, memberId, body), decide),
    });
  };
  return {
    async listCards({ caller: { memberId } }) {
      const holder = await readHolder(db.kysely, memberId);
      return { holder, cards: (await readCards(db.kysely, memberId)).map((row) => toCard(row, holder)) };
    },
    async addCard({ caller: { memberId } }, { fundPassword, ...body }) {
      const proven = await isProven(db, memberId, fundPassword, sources);
      return sequencer.commandAll({
        endpoint: "addCard",
        memberId,
        body,
        ...deciding(
          async (tx, batch) => ({
            facts: await readMemberFacts(tx, memberId, { rules: batch.rules, now: () => batch.at }),
            cards: await prepareCards(tx, batch, memberId, body),
          }),
          (batch, { facts, cards }) => {
            checkEligible("addCard", facts);
            if (!proven) throw new Refusal("PWD_FUND_NOT_SET", {}, "fundPassword");
            return addCard(batch, memberId, body, cards);
          },
        ),
      });
    },
    setDefaultCard: ({ caller: { memberId } }, body) =>
      onCards("setDefaultCard", memberId, body, (batch, read) => makeDefault(batch, memberId, body.cardId, read)),
    removeCard: ({ caller: { memberId } }, body) =>
      onCards("removeCard", memberId, body, (batch, read) => removeCard(batch, body.cardId, read)),
  };
}
