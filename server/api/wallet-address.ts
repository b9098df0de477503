/** Handlers of wallet addresses: list, register with the fund password, remove. */
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { addAddress, prepareAddresses, readAddresses, removeAddress, spelled } from "#server/accounts/wallet-address.ts";
import { isProven } from "#server/accounts/proven.ts";
import { readMemberFacts } from "#server/accounts/member-facts.ts";
import type { Database } from "#server/db/database.ts";
import { toAddress } from "#server/records/deposit.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";

export interface WalletAddressDeps {
  db: Database;
  sequencer: Sequencer;
}

export function walletAddressHandlers({
  db,
  sequencer,
}: WalletAddressDeps): Pick<Handlers, "listAddresses" | "addAddress" | "removeAddress"> {
  const sources = { rules: sequencer.rules, now: () => sequencer.now() };
  return {
    async listAddresses({ caller: { memberId } }) {
      const addresses = (await readAddresses(db.kysely, memberId)).map(toAddress);
      return { addresses, most: sequencer.rules.of(memberId).funding.maxAddresses };
    },
    async addAddress({ caller: { memberId } }, { fundPassword, ...typed }) {
      const body = { ...typed, address: spelled(typed) };
      const proven = await isProven(db, memberId, fundPassword, sources);
      return sequencer.commandAll({
        endpoint: "addAddress",
        memberId,
        body,
        ...deciding(
          async (tx, batch) => ({
            facts: await readMemberFacts(tx, memberId, { rules: batch.rules, now: () => batch.at }),
            addresses: await prepareAddresses(tx, batch, memberId, body.address),
          }),
          (batch, { facts, addresses }) => {
            checkEligible("addWalletAddress", facts);
            if (!proven) throw new Refusal("PWD_FUND_NOT_SET", {}, "fundPassword");
            return addAddress(batch, memberId, body, addresses);
          },
        ),
      });
    },
    removeAddress: ({ caller: { memberId } }, body) => {
      return sequencer.commandAll({
        endpoint: "removeAddress",
        memberId,
        body,
        ...deciding(
          (tx, batch) => prepareAddresses(tx, batch, memberId, null),
          (batch, read) => removeAddress(batch, body.addressId, read),
        ),
      });
    },
  };
}
