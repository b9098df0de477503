/** Proof of the contract as data: every endpoint has one path, known refusals, and shapes OpenAPI can say. */
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { endpoints } from "#contract/endpoints.ts";
import type { Endpoint } from "#contract/kernel/endpoint.ts";
import { isRefusalCode } from "#contract/kernel/refusal.ts";

const all = Object.entries<Endpoint>(endpoints);

/** The parts an endpoint map is spread from must not hide one another. */
const modules = import.meta.glob<Record<string, unknown>>("#contract/*.ts", { eager: true });
const parts = Object.entries(modules).flatMap(([path, module]) =>
  path.endsWith("/endpoints.ts") ? [] : Object.entries(module).filter(([name]) => name.endsWith("Endpoints")),
);

describe("endpoints", () => {
  it("are all in the list, none hiding another", () => {
    const names = parts.flatMap(([, part]) => Object.keys(part as object));
    expect(names.toSorted()).toEqual(Object.keys(endpoints).toSorted());
  });

  it("have a path each", () => {
    const paths = all.map(([, { path }]) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(path).toMatch(/^\/[a-z]+(-[a-z]+)*(\/[a-z]+(-[a-z]+)*)+$/);
  });

  it("ask for a session unless they are how one begins", () => {
    const open = all.filter(([, { access }]) => access === "open").map(([name]) => name);
    expect(open.toSorted()).toEqual(["readConfig", "signIn"]);
  });

  describe.each(all)("%s", (_name, { body, data, refusals, does }) => {
    it("says what it does in a sentence", () => expect(does).toMatch(/^[A-Z].*\.$/));

    it("refuses by the catalogue, each reason once", () => {
      for (const code of refusals) expect(isRefusalCode(code), code).toBe(true);
      expect(new Set(refusals).size).toBe(refusals.length);
    });

    it("has shapes that OpenAPI can say", () => {
      expect(z.toJSONSchema(body, { io: "input" })).toMatchObject({ type: "object" });
      expect(z.toJSONSchema(data, { io: "output" })).toHaveProperty("$schema");
    });

    it("lists every refusal its body can raise by itself", () => {
      const raised = new Set<string>();
      for (const wrong of [{}, ...spoiled(z.toJSONSchema(body, { io: "input" }))]) {
        for (const issue of body.safeParse(wrong).error?.issues ?? []) if (isRefusalCode(issue.message)) raised.add(issue.message);
      }
      for (const code of raised) expect(refusals).toContain(code);
    });
  });
});

/** Bodies with one field each that no schema takes. */
function spoiled(schema: { properties?: Record<string, unknown> }): Record<string, unknown>[] {
  return Object.keys(schema.properties ?? {}).flatMap((field) =>
    [null, "", "?", -1, 0.5, 1e9, [], {}].map((wrong) => ({ [field]: wrong })),
  );
}
