/** The screens of deposits and wallet addresses: refusals at their field before and after sending, blocks, errors. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DepositChannel } from "#contract/deposit.ts";
import type { MemberFacts } from "#contract/eligibility.ts";
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { WalletAddress } from "#contract/wallet-address.ts";
import en from "#locales/en.json";
import { DepositChannelPage } from "#src/screens/information/deposit-channel.tsx";
import { WalletAddresses } from "#src/screens/information/wallet-addresses.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, broken, mock, refused } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { OVERVIEW, bodies, setUpHarness } from "#tests/src/streams/harness.tsx";
import { doing, one, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { until } from "#tests/support/until.ts";

const CHANNEL: DepositChannel = {
  id: "password",
  kind: "password",
  paid: "TWD",
  currency: "TWD",
  minimum: 100,
  maximum: 1_000_000,
  opensMinute: 0,
  closesMinute: 1_439,
  hours: "open",
  needsProof: false,
  needsPassword: true,
  payTo: "96878000000020",
};
const USDT: DepositChannel = {
  ...CHANNEL,
  id: "usdtTrc20",
  kind: "usdtTrc20",
  paid: "USDT",
  currency: "USD",
  minimum: 20,
  needsProof: true,
  needsPassword: false,
  payTo: "TDQaL8BvzsEdUybbPEzduyP7NnKKw7Btxh",
};
const WALLET: WalletAddress = { addressId: "A7", network: "trc20", address: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", addedAt: epochMs(1_000) };
let shown: Shown;
const words = (): string => document.querySelector("main")?.textContent ?? "";
const press = (name: string): Promise<void> =>
  doing(() => [...document.querySelectorAll("button")].find((button) => button.textContent === name)?.click());
const fieldOf = (label: string): HTMLInputElement => {
  const found = [...document.querySelectorAll("label")].find(({ textContent }) => textContent === label);
  return one(document, `[id="${found?.getAttribute("for") ?? ""}"]`) as HTMLInputElement;
};
const type = (label: string, text: string): Promise<void> =>
  doing(() => {
    const field = fieldOf(label);
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

/** Waits for something outside React. */
async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}
const facing = (over: Partial<MemberFacts> = {}) =>
  mock("readMember", () => accepted({ ...OVERVIEW, facts: { ...OVERVIEW.facts, ...over } }));

async function openChannel(channel: DepositChannel, channelPassword = true): Promise<void> {
  const known = { channels: [channel], pending: null, leftTodayCents: cents(1_000_000_000), channelPassword };
  mock("readDepositing", () => accepted(known));
  shown = await show(<DepositChannelPage />, `/information/rechargeChannel?channel=${channel.id}`);
  await settled(() => words().includes(channel.payTo));
}
async function openWallets(addresses: WalletAddress[], most = 5): Promise<void> {
  mock("listAddresses", () => accepted({ addresses, most }));
  shown = await show(<WalletAddresses />, "/information/usdtAddress");
}

i18next.use(initReactI18next);
setUpHarness();
beforeAll(async () => {
  fakeWorker();
  await marketApi();
});
beforeEach(() => {
  mock("readRules", () => refused("GEN_SYSTEM_BUSY"));
  facing({ fundPassword: true });
});
afterEach(() => shown.gone());

describe("a channel with a password", () => {
  it("shows a wrong one at its field with the tries left, and keeps the form", async () => {
    mock("submitDeposit", () => refused("PWD_CHANNEL_WRONG", { params: { n: 4 }, field: "channelPassword" }));
    await openChannel(CHANNEL);
    await type("Amount in TWD", "1000");
    await type(en.deposit.password.title, "Harbour7");
    await press(en.deposit.submit);
    await settled(() => words().includes("Wrong channel password: 4 tries left"));
    expect(fieldOf("Amount in TWD").value).toBe("1000");
    expect(bodies("submitDeposit")).toMatchObject([{ amount: 1_000, channelPassword: "Harbour7", proofId: null }]);
  });

  it("offers to set one where none is set, and takes the two that differ at their field", async () => {
    await openChannel(CHANNEL, false);
    await type(en.deposit.password.signIn, "secret");
    await type(en.deposit.password.new, "Harbour7");
    await type(en.deposit.password.confirm, "Harbour8");
    await press(en.deposit.password.set);
    await settled(() => words().includes(en.refusal.PWD_CONFIRM_MISMATCH));
    mock("setChannelPassword", () => accepted(null));
    await type(en.deposit.password.confirm, "Harbour7");
    await press(en.deposit.password.set);
    await settled(() => words().includes(en.deposit.password.change));
  });

  it("asks for a proof where the channel wants one", async () => {
    await openChannel({ ...CHANNEL, needsProof: true });
    await type("Amount in TWD", "1000");
    await press(en.deposit.submit);
    await settled(() => words().includes(en.refusal.VAL_PROOF_REQUIRED));
    expect(bodies("submitDeposit")).toEqual([]);
  });
});

describe("a deposit in USDT", () => {
  it("leads to the wallets where none of the network is registered", async () => {
    mock("listAddresses", () => accepted({ addresses: [{ ...WALLET, network: "erc20" }], most: 5 }));
    await openChannel(USDT);
    await settled(() => words().includes(en.deposit.noWallet));
    expect(document.querySelectorAll('main a[href*="/information/usdtAddress"]')).toHaveLength(1);
    expect(words()).toContain(en.deposit.never);
  });

  it("says everything that is missing at its field before a quote is asked for", async () => {
    mock("listAddresses", () => accepted({ addresses: [WALLET], most: 5 }));
    await openChannel(USDT);
    await settled(() => words().includes(WALLET.address));
    await type("Amount in USDT", "1000");
    await type(en.deposit.txHash, "0x12");
    await press(en.conversion.ask);
    await settled(() => words().includes(en.refusal.VAL_TX_HASH));
    expect(words()).toContain(en.refusal.VAL_PROOF_REQUIRED);
    expect(fieldOf(en.deposit.txHash).value).toBe("0x12");
    expect(bodies("quoteDeposit")).toEqual([]);
  });
});

describe("the wallet addresses", () => {
  it("are shown with their QR code, and one more is refused at its field", async () => {
    await openWallets([WALLET]);
    await settled(() => words().includes(WALLET.address) && words().includes(en.address.add));
    expect(one(document, "svg[role=img]").getAttribute("aria-label")).toBe(`QR code of ${WALLET.address}`);
    mock("addAddress", () => refused("WAL_EXISTS", { field: "address" }));
    await type(en.address.address, WALLET.address);
    await type(en.app.title.fundPassword, "135790");
    await press(en.address.save);
    await settled(() => words().includes(en.refusal.WAL_EXISTS));
    expect(bodies("addAddress")).toMatchObject([{ network: "trc20", address: WALLET.address, fundPassword: "135790" }]);
    expect(fieldOf(en.address.address).value).toBe(WALLET.address);
  });

  it("say when no more can be registered", async () => {
    await openWallets([WALLET], 1);
    await settled(() => words().includes("At most 1 addresses; remove one first."));
    expect(document.querySelector("form")).toBeNull();
  });

  it("say what is missing before the form", async () => {
    facing({ fundPassword: false });
    await openWallets([]);
    await settled(() => words().includes(en.address.blocked) && words().includes(en.address.none));
    expect(document.querySelector("form")).toBeNull();
  });

  it("say what failed", async () => {
    mock("listAddresses", () => broken.status(500));
    shown = await show(<WalletAddresses />, "/information/usdtAddress");
    await settled(() => words().includes(en.address.failed));
  });
});
