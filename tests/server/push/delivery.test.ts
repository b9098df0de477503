/** Tests that a delivery connects to public addresses only, whatever the name of its push service resolves to at that moment. */
import { createECDH, randomBytes } from "node:crypto";
import type { LookupAddress } from "node:dns";
import { beforeEach, expect, it, vi } from "vitest";
import webPush from "web-push";
import { openDelivery } from "#server/push/delivery.ts";

const asked: string[] = [];
let answer: LookupAddress[] = [];

// A public name that resolves to an inner address cannot be had without a name server of one's own.
vi.mock("node:dns", async (real) => ({
  ...(await real<object>()),
  lookup: (name: string, _options: object, done: (error: Error | null, addresses: LookupAddress[]) => void) => {
    asked.push(name);
    done(null, answer);
  },
}));

const deliver = openDelivery({
  key: webPush.generateVAPIDKeys(),
  contact: "mailto:operator@kuroshio.example",
  policy: { allowLoopback: false },
});
const browser = createECDH("prime256v1");
const subscription = (endpoint: string) => ({
  endpoint,
  p256dh: browser.generateKeys("base64url"),
  auth: randomBytes(16).toString("base64url"),
});
const payload = { title: "", text: "", route: "/", tag: "t", urgent: false };

beforeEach(() => void asked.splice(0));

it.each([
  [[{ address: "127.0.0.1", family: 4 }]],
  [
    [
      { address: "8.8.8.8", family: 4 },
      { address: "::1", family: 6 },
    ],
  ],
])("a name that resolves to %j is not connected to", async (addresses) => {
  answer = addresses;
  expect(await deliver(subscription("https://push.example/x"), payload)).toBe("later");
  expect(asked).toEqual(["push.example"]);
});

it("an endpoint that is no longer allowed is not even looked up", async () => {
  expect(await deliver(subscription("https://push.example:22/x"), payload)).toBe("gone");
  expect(asked).toEqual([]);
});

it("a key that is not one ends the subscription", async () => {
  expect(await deliver({ ...subscription("https://push.example/x"), p256dh: "AAAA" }, payload)).toBe("gone");
});
