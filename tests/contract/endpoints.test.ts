/** Tests the endpoint definitions: unique paths, known refusals, and schemas that OpenAPI can express. */
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { endpoints } from "#contract/endpoints.ts";
import type { Endpoint } from "#contract/kernel/endpoint.ts";
import { isRefusalCode } from "#contract/kernel/refusal.ts";

const all = Object.entries<Endpoint>(endpoints);

/** Files that only combine the endpoint maps of others. */
const COMBINED = /\/(?:sign-in-)?endpoints\.ts$/;
/** Endpoint maps are spread into the list, so two endpoints with one name would override each other. */
const modules = import.meta.glob<Record<string, unknown>>("#contract/*.ts", { eager: true });
const parts = Object.entries(modules).flatMap(([path, module]) =>
  COMBINED.test(path) ? [] : Object.entries(module).filter(([name]) => name.endsWith("Endpoints")),
);

describe("endpoints", () => {
  it("are all in the list, and none overrides another", () => {
    const names = parts.flatMap(([, part]) => Object.keys(part as object));
    expect(names.toSorted()).toEqual(Object.keys(endpoints).toSorted());
  });

  it("have unique, well-formed paths", () => {
    const paths = all.map(([, { path }]) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(path).toMatch(/^\/[a-z]+(-[a-z]+)*(\/[a-z]+(-[a-z]+)*)+$/);
  });

  it("require a session except the ones called before sign-in", () => {
    const open = all.filter(([, { access }]) => access === "open").map(([name]) => name);
    expect(open.toSorted()).toEqual([
      "readConfig",
      "register",
      "requestPasswordCode",
      "resetPassword",
      "signIn",
      "signInWithPasskey",
      "startPasskeySignIn",
    ]);
  });

  describe.each(all)("%s", (_name, { body, data, refusals, does }) => {
    it("has a one-sentence summary", () => expect(does).toMatch(/^[A-Z].*\.$/));

    it("lists known refusal codes, each once", () => {
      for (const code of refusals) expect(isRefusalCode(code), code).toBe(true);
      expect(new Set(refusals).size).toBe(refusals.length);
    });

    it("has schemas that OpenAPI can express", () => {
      expect(z.toJSONSchema(body, { io: "input" })).toMatchObject({ type: "object" });
      expect(z.toJSONSchema(data, { io: "output" })).toHaveProperty("$schema");
    });

    it("lists every refusal that its body schema can produce", () => {
      const raised = new Set<string>();
      for (const wrong of [{}, ...invalidBodies(z.toJSONSchema(body, { io: "input" }))]) {
        for (const issue of body.safeParse(wrong).error?.issues ?? []) if (isRefusalCode(issue.message)) raised.add(issue.message);
      }
      for (const code of raised) expect(refusals).toContain(code);
    });
  });
});

/** Bodies with a single field holding an invalid value. */
function invalidBodies(schema: { properties?: Record<string, unknown> }): Record<string, unknown>[] {
  return Object.keys(schema.properties ?? {}).flatMap((field) =>
    [null, "", "?", -1, 0.5, 1e9, [], {}].map((wrong) => ({ [field]: wrong })),
  );
}
