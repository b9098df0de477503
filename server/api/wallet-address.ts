/** Handlers of wallet addresses: list, register with the fund password, remove. */
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { addAddress, prepareAddresses, readAddresses, removeAddress, spelled } from "#server/accounts/wallet-address.ts";
import type { AddressesInBatch } from "#server/accounts/wallet-address.ts";
import { isProven } from "#server/accounts/proven.ts";
import { readMemberFacts } from "#server/accounts/member-facts.ts";
import type { MemberFacts } from "#contract/eligibility.ts";
import type { Database } from "#server/db/database.ts";
import { toAddress } from "#server/records/deposit.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
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
      let read: { addresses: AddressesInBatch; facts: MemberFacts } | null = null;
      return sequencer.commandAll({
        endpoint: "addAddress",
        memberId,
        body,
        placements: 0,
        prepare: async (tx, batch) => {
          const facts = await readMemberFacts(tx, memberId, { rules: batch.rules, now: () => batch.at });
          read = { addresses: await prepareAddresses(tx, batch, memberId, body.address), facts };
        },
        decide: (batch) => {
          if (!read) throw new Error("the addresses were not read");
          checkEligible("addWalletAddress", read.facts);
          if (!proven) throw new Refusal("PWD_FUND_NOT_SET", {}, "fundPassword");
          return addAddress(batch, memberId, body, read.addresses);
        },
      });
    },
    removeAddress: ({ caller: { memberId } }, body) => {
      let read: AddressesInBatch | null = null;
      return sequencer.commandAll({
        endpoint: "removeAddress",
        memberId,
        body,
        placements: 0,
        prepare: async (tx, batch) => {
          read = await prepareAddresses(tx, batch, memberId, null);
        },
        decide: (batch) => {
          if (!read) throw new Error("the addresses were not read");
          return removeAddress(batch, body.addressId, read);
        },
      });
    },
  };
}
