/** Generates request bodies from the contract's schemas: valid ones, and ones with a single wrong field. */
import fc from "fast-check";
import * as z from "zod/mini";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";

/** The subset of JSON Schema that the contract's schemas produce. */
interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  prefixItems?: Schema[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

export const names = Object.keys(endpoints) as EndpointName[];

const schemaOf = (name: EndpointName): Schema => z.toJSONSchema(endpoints[name].body, { io: "input", unrepresentable: "any" }) as Schema;

/** The top-level fields of an endpoint's body. */
export const fieldsOf = (name: EndpointName): string[] => Object.keys(schemaOf(name).properties ?? {});

/** Valid values of fields that have more constraints than their schema type. */
const MEANT: Record<string, fc.Arbitrary<unknown>> = {
  bankCode: fc.constant("004"),
  cardNumber: fc.constant("123456789012"),
  txHash: fc.constant("ab".repeat(32)),
  idNumber: fc.constantFrom("A123456789", "b200000004"),
  mobile: fc.constant("0912 345 678"),
  birthDate: fc.constantFrom("1990-02-28", "2015-12-31"),
  password: fc.constant("violet-harbour"),
  fundPassword: fc.constant("246810"),
  confirmation: fc.constantFrom("violet-harbour", "246810"),
  // A stock, a fund, an index, a currency, and an unlisted code.
  code: fc.constantFrom("2330", "0050", "IX0001", "BTC", "ZZ99"),
};

const texts = new Map<string, fc.Arbitrary<string>>();

/** Text of a pattern; made once a pattern, because making it costs more than a value. */
function matching(pattern: string): fc.Arbitrary<string> {
  const text = texts.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  texts.set(pattern, text);
  return text;
}

function textLike(schema: Schema): fc.Arbitrary<string> {
  if (schema.pattern) return matching(schema.pattern);
  return fc.string({ unit: "binary", minLength: schema.minLength ?? 0, maxLength: schema.maxLength ?? 60 });
}

function like(schema: Schema): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(like));
  switch (schema.type) {
    case "object":
      return fc.record(Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, MEANT[key] ?? like(value)])));
    case "array":
      if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map(like));
      return fc.array(like(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 5, 20) });
    case "string":
      return textLike(schema);
    case "integer":
    case "number":
      return fc.maxSafeInteger().map((n) => Math.min(schema.maximum ?? n, Math.max(schema.minimum ?? n, n)));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

const bodies = new Map<EndpointName, fc.Arbitrary<Record<string, unknown>>>();

/** Bodies of the right shape with arbitrary values of the right types. */
export function shaped(name: EndpointName): fc.Arbitrary<Record<string, unknown>> {
  const body = bodies.get(name) ?? (like(schemaOf(name)) as fc.Arbitrary<Record<string, unknown>>);
  bodies.set(name, body);
  return body;
}

/** The first of 500 bodies that the endpoint's schema accepts. */
function findFitting(name: EndpointName): Record<string, unknown> | null {
  for (let seed = 0; seed < 25; seed++) {
    const found = fc.sample(shaped(name), { numRuns: 20, seed }).find((body) => endpoints[name].body.safeParse(body).success);
    if (found) return found;
  }
  return null;
}

const fittings = new Map<EndpointName, Record<string, unknown> | null>();

/** A body that the endpoint's schema accepts, the same at every call, or null when none was found by trying (it has further constraints). */
export function fitting(name: EndpointName): Record<string, unknown> | null {
  if (!fittings.has(name)) fittings.set(name, findFitting(name));
  return fittings.get(name) ?? null;
}

/** Values that are wrong for every field, and some that only some fields accept. */
export const ODDITIES: unknown[] = [undefined, null, true, -1, 1.5, 1e300, "", "\0", "x".repeat(5_000), [], [null], {}, { $ne: 1 }];
