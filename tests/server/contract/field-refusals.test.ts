/** Tests that the refusals of general checks, accounts, passwords, cards, currencies and fields are reached at their field, on one server. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EndpointName } from "#contract/endpoints.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";

let server: TestServer;
let me: Headers;
beforeAll(async () => {
  server = await startTestServer({ demo: "shared" });
  me = await server.enter();
});
afterAll(() => server.stop());

const requestId = randomUUID();
const password = { current: "violet-harbour", password: "green-harbour", confirmation: "green-harbour" };
const fund = { current: "violet-harbour", fundPassword: "246810", confirmation: "246810" };
const card = { requestId, bankCode: "004", branch: "台北", branchCode: "0037", cardNumber: "1234567890", fundPassword: "246810" };
const channel = { current: "violet-harbour", channelPassword: "harbour12", confirmation: "harbour12" };
const convert = { from: "TWD", to: "USD", side: "sell", amount: 100 };
const person = {
  mobile: "0912345678",
  idNumber: "F131104093",
  birthDate: "1990-05-17",
  password: "violet-harbour",
  confirmation: "violet-harbour",
  guaranteeCode: "135790",
  invitationCode: "KUROSHIO",
  privacy: true,
  representative: null,
};

it.each<[RefusalCode, string | undefined, EndpointName, object]>([
  ["GEN_CONFIG_NOT_FOUND", "type", "readConfig", { type: "some" }],
  ["GEN_FORM_INCOMPLETE", "guaranteeCode", "signIn", { idNumber: "A123456789", password: "x", guaranteeCode: "" }],
  ["GEN_FORM_INCOMPLETE", "bankCode", "addCard", { ...card, bankCode: "" }],
  ["GEN_NOT_FOUND", "code", "addWatch", { code: "9999", group: null }],
  ["GEN_NOT_FOUND", "id", "readMessage", { id: "M999999999" }],
  ["GEN_UPLOAD_RESELECT", "content", "uploadPhoto", { content: "bm8gcGljdHVyZQ==" }],
  ["VAL_ACCOUNT_EMPTY", "idNumber", "signIn", { idNumber: " ", password: "x", guaranteeCode: "1" }],
  ["VAL_ID_INVALID", "idNumber", "signIn", { idNumber: "A123456780", password: "x", guaranteeCode: "1" }],
  ["VAL_PASSWORD_EMPTY", "password", "signIn", { idNumber: "A123456789", password: "", guaranteeCode: "1" }],
  ["ACC_BAD_CREDENTIALS", undefined, "signIn", { idNumber: "A123456789", password: "x", guaranteeCode: "1" }],
  ["VAL_MOBILE_INVALID", "mobile", "register", { ...person, mobile: "12" }],
  ["VAL_BIRTH_DATE", "birthDate", "register", { ...person, birthDate: "1990-02-30" }],
  ["VAL_PASSWORD_LENGTH", "password", "register", { ...person, password: "short", confirmation: "short" }],
  ["VAL_PASSWORD_COMMON", "password", "register", { ...person, password: "password", confirmation: "password" }],
  ["VAL_CONFIRM_EMPTY", "confirmation", "register", { ...person, confirmation: "" }],
  ["PWD_CONFIRM_MISMATCH", "confirmation", "register", { ...person, confirmation: "violet-harbor" }],
  ["VAL_GUARANTEE_DIGITS", "guaranteeCode", "register", { ...person, guaranteeCode: "12345" }],
  ["VAL_INVITE_EMPTY", "invitationCode", "register", { ...person, invitationCode: "" }],
  ["ACC_INVITER_NOT_FOUND", "invitationCode", "register", { ...person, invitationCode: "NOBODY22" }],
  ["ACC_EXISTS", "idNumber", "register", { ...person, idNumber: "A123456789" }],
  ["ACC_SHARED", undefined, "changePassword", password],
  ["ACC_SHARED", undefined, "setFundPassword", fund],
  ["VAL_FUND_DIGITS", "fundPassword", "setFundPassword", { ...fund, fundPassword: "1", confirmation: "1" }],
  ["VAL_CODE_DIGITS", "oneTimeCode", "resetFundPassword", { oneTimeCode: "1", fundPassword: "246810", confirmation: "246810" }],
  ["VAL_REALNAME_EMPTY", "name", "submitIdentity", { name: " ", idNumber: "A123456789", front: "A".repeat(22), back: "B".repeat(22) }],
  ["VAL_ID_PHOTOS", "front", "submitIdentity", { name: "王小明", idNumber: "A123456789", front: "", back: "B".repeat(22) }],
  ["VAL_CHANNEL_PASSWORD", "channelPassword", "setChannelPassword", { ...channel, channelPassword: "12" }],
  ["VAL_DAY_OF_MONTH", "day", "startSavingsPlan", { requestId, code: "0050", amount: 1_000, day: 32 }],
  ["GEN_STOCK_CODE_EXISTS", "code", "addWatch", { code: "2330", group: null }],
  ["CARD_NUMBER_INVALID", "cardNumber", "addCard", { ...card, cardNumber: "12" }],
  ["PWD_FUND_NOT_SET", undefined, "addCard", card],
  ["VAL_CARD_REQUIRED", "cardId", "requestWithdrawal", { requestId, amount: 1_000, cardId: "", fundPassword: "246810" }],
  ["VAL_AMOUNT_EMPTY", "amount", "requestWithdrawal", { requestId, amount: 0, cardId: "B1", fundPassword: "246810" }],
  ["CUR_NOT_FOUND", "from", "quoteConversion", { ...convert, from: "ABC" }],
  ["CUR_SAME", "to", "quoteConversion", { ...convert, to: "TWD" }],
  ["FUND_BALANCE_INSUFFICIENT", "amount", "quoteConversion", { ...convert, amount: 9_000_000_000_000 }],
  ["FUND_TRANSFER_INSUFFICIENT", "amount", "transferFunds", { requestId, currency: "TWD", from: "profit", to: "securities", amount: 1 }],
  ["VAL_PRIVACY_REQUIRED", "privacy", "register", { ...person, privacy: false }],
  ["VAL_MARGIN_POSITIVE", "amount", "payMargin", { requestId, amount: 0 }],
  ["VAL_PERCENT_RANGE", "percent", "setDayTradingWarning", { percent: 0 }],
  ["VAL_GROUP_NAME", "name", "saveGroup", { id: randomUUID(), name: " " }],
  ["VAL_ALERT_LEVEL", "level", "setAlert", { id: randomUUID(), code: "2330", kind: "above", level: 0 }],
])("%s is given at %s by %s", async (code, field, name, body) => {
  const { reply } = await server.post(name, JSON.stringify(body), me);
  expect(reply.status === 1 ? "accepted" : { code: reply.code, field: reply.field }).toEqual({ code, field });
});
