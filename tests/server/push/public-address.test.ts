/** Tests which push endpoints the server calls: public https addresses, never its own network, whatever a name resolves to. */
import { describe, expect, it, test } from "vitest";
import { isEndpointAllowed, isPublicAddress, lookupPublic } from "#server/push/public-address.ts";

const STRICT = { allowLoopback: false };

test.each(
  `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 192.0.2.1
  203.0.113.9 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 fe80::1 fc00::1 fd12::1 ff02::1 64:ff9b::7f00:1 2001:db8::1 2001::1 2002:7f00:1:: localhost`.split(
    /\s+/,
  ),
)("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "142.250.1.1", "2607:f8b0::1", "2a00:1450::1"])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

describe("an endpoint", () => {
  it.each(["push.example/fcm/send/abc:def", "updates.push.example/wpush/v2/x", "push.example:443/w/?token=x", "8.8.8.8/x"])(
    "https, %s is allowed",
    (rest) => {
      expect(isEndpointAllowed(`https://${rest}`, STRICT)).toBe(true);
    },
  );

  it.each([
    ["http", "push.example/x"],
    ["https", "push.example:22/x"],
    ["https", "user@push.example/x"],
    ...["127.0.0.1/x", "2130706433/x", "0x7f.1/x", "[::1]/x", "[::ffff:10.0.0.1]/x", "localhost/x", "localhost./x", "api.localhost/x"].map(
      (rest) => ["https", rest],
    ),
    ...["db.internal/x", "printer.local./x", "router/x"].map((rest) => ["https", rest]),
    ["file", "/etc/passwd"],
  ])("%s, %s is refused", (scheme, rest) => {
    expect(isEndpointAllowed(`${scheme}://${rest}`, STRICT)).toBe(false);
  });

  it("that is not an address is refused", () => {
    expect(isEndpointAllowed("not an address", STRICT)).toBe(false);
  });

  it("on this machine is allowed only by the tests' option", () => {
    expect(isEndpointAllowed("http://127.0.0.1:4000/x", { allowLoopback: true })).toBe(true);
    const inside = new URL("http://127.0.0.1/x");
    inside.hostname = "10.0.0.1";
    expect(isEndpointAllowed(inside.href, { allowLoopback: true })).toBe(false);
  });
});

test.each([true, false])("a name that resolves to this machine fails when it is connected to, asked for all addresses: %s", async (all) => {
  const failed = await new Promise<Error | null>((done) => lookupPublic("localhost", { all }, done));
  expect(failed?.message).toContain("not on a public address");
});
