/** Tests every endpoint of the contract generically: session required, malformed bodies refused by field, other members' orders invisible. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { refusals } from "#contract/kernel/refusal.ts";
import type { Reply } from "#contract/kernel/reply.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { sized } from "#tests/support/size.ts";
import { ODDITIES, fieldsOf, fitting, names, shaped } from "./bodies.ts";

let server: TestServer;
let me: Headers;
let orderNo: string;

beforeAll(async () => {
  server = await startTestServer();
  me = await server.enter();
  // First, because a generated valid body may also lock the member's trading.
  const placed = await server.call(
    "placeOrder",
    { requestId: randomUUID(), code: "2330", direction: "rise", pricing: "market", price: null, lots: 1 },
    me,
  );
  orderNo = placed.status === 1 ? placed.data.orderNo : "";
  expect(orderNo).toMatch(/^K\d{12}$/);
});
afterAll(() => server.stop());

/** Posts as the demo member, with a new session if an earlier call ended it. */
async function post(name: EndpointName, body: unknown): Promise<Reply<unknown>> {
  const { http, reply } = await server.post(name, JSON.stringify(body) ?? "", me);
  expect(http, `${name} ${JSON.stringify(body)}`).toBe(200);
  if (name === "signOut") me = await server.enter();
  return reply;
}

/** Asserts a reply that the contract allows: its data or one of its refusals, never an internal error. */
function expectAllowed(name: EndpointName, body: unknown, reply: Reply<unknown>): void {
  const allowed =
    reply.status === 1
      ? endpoints[name].data.safeParse(reply.data).success
      : ["GEN_PARAM_ERROR", ...endpoints[name].refusals].includes(reply.code);
  if (!allowed) expect.fail(`${name} ${JSON.stringify(body)} -> ${JSON.stringify(reply).slice(0, 300)}`);
}

describe.each(names)("%s", (name) => {
  const endpoint = endpoints[name];

  it("requires a session exactly when its access is `member`", async () => {
    const strangers = [
      undefined,
      { token: "", account: me.account },
      { token: "A".repeat(43), account: me.account },
      { ...me, account: "KS999999" },
    ];
    for (const as of strangers) {
      const { http, reply } = await server.post(name, JSON.stringify(fitting(name) ?? {}), as);
      expect(http).toBe(endpoint.access === "member" ? 401 : 200);
      if (endpoint.access === "member") expect(reply).toMatchObject({ status: 0, code: "ACC_SESSION_EXPIRED" });
    }
  });

  it("refuses bodies that are not JSON, and JSON that is not an object", async () => {
    for (const body of ["", "{", "undefined", "\u0000", "[]", "1", '"text"', "null"]) {
      const { http, reply } = await server.post(name, body, me);
      expect({ http, status: reply.status, field: "field" in reply }, body).toEqual({ http: 200, status: 0, field: false });
    }
  });

  it("refuses a wrong field and names it", async () => {
    const right = fitting(name) ?? fc.sample(shaped(name), { numRuns: 1, seed: 7 })[0] ?? {};
    for (const field of fieldsOf(name)) {
      let blamedHere = 0;
      for (const oddity of ODDITIES) {
        const body = { ...right, [field]: oddity };
        const parsed = endpoint.body.safeParse(JSON.parse(JSON.stringify(body)));
        // If the schema accepts the value, or finds another error first, any allowed reply is fine.
        const blamed = parsed.success ? undefined : parsed.error.issues[0]?.path[0];
        const reply = await post(name, body);
        expectAllowed(name, body, reply);
        if (blamed !== field) continue;
        blamedHere += 1;
        expect(reply, JSON.stringify(body).slice(0, 200)).toMatchObject({ status: 0, field });
      }
      expect(blamedHere, `${name}.${field} took every oddity`).toBeGreaterThan(5);
    }
  });

  it("answers any JSON with a reply allowed by the contract", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (body) => expectAllowed(name, body, await post(name, body))),
      { numRuns: sized(10, 25) },
    );
  });

  it("answers any body of the right shape with a reply allowed by the contract", async () => {
    await fc.assert(
      fc.asyncProperty(shaped(name), async (body) => expectAllowed(name, body, await post(name, body))),
      { numRuns: sized(20, 40) },
    );
  });
});

describe("an order", () => {
  const withOrder = names.filter((name) => fieldsOf(name).includes("orderNo"));

  it("of another member looks like one that does not exist", async () => {
    expect(withOrder.length).toBeGreaterThan(2);
    const other = await server.enter("unverified");
    for (const name of withOrder) {
      const asked = async (no: string) => {
        const fresh = { ...fitting(name), orderNo: no };
        const body = "requestId" in fresh ? { ...fresh, requestId: randomUUID() } : fresh;
        return (await server.post(name, JSON.stringify(body), other)).reply;
      };
      const theirs = await asked(orderNo);
      // Who may not lend is told so before any order is looked for; `tests/server/lending` has the same for who may.
      const lends = name === "lendShares" || name === "offerShares";
      expect(theirs, name).toMatchObject({ status: 0, code: lends ? "ACC_REALNAME_REQUIRED" : "TRD_ORDER_NOT_FOUND" });
      expect(await asked("K999999999999"), name).toEqual(theirs);
    }
  });
});

describe("the OpenAPI document", () => {
  it("lists every endpoint with body, reply, refusals and session requirement", async () => {
    const page = (await (await fetch(`${server.url}${BASE_PATH}/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, { post: { operationId: string; security: unknown[]; responses: Record<string, unknown> } }>;
    };
    expect(page.openapi).toBe("3.1.0");
    expect(Object.keys(page.paths).toSorted()).toEqual(names.map((name) => BASE_PATH + endpoints[name].path).toSorted());
    for (const name of names) {
      const operation = page.paths[BASE_PATH + endpoints[name].path]?.post;
      expect(operation?.operationId).toBe(name);
      expect(operation?.security.length).toBe(endpoints[name].access === "member" ? 1 : 0);
      expect("401" in (operation?.responses ?? {})).toBe(endpoints[name].access === "member");
      const text = JSON.stringify(operation);
      for (const code of endpoints[name].refusals) expect(text).toContain(code);
    }
  });

  it("names only known refusal codes", () => {
    for (const name of names) for (const code of endpoints[name].refusals) expect(Object.keys(refusals)).toContain(code);
  });
});
