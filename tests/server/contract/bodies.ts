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
  idNumber: fc.constantFrom("A123456789", "b200000004"),
  mobile: fc.constant("0912 345 678"),
  birthDate: fc.constantFrom("1990-02-28", "2015-12-31"),
  password: fc.constant("violet-harbour"),
  fundPassword: fc.constant("246810"),
  confirmation: fc.constantFrom("violet-harbour", "246810"),
  // A stock, a fund, an index, a currency, and an unlisted code.
  code: fc.constantFrom("2330", "0050", "IX0001", "BTC", "ZZ99"),
};

function textLike(schema: Schema): fc.Arbitrary<string> {
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
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

/** Bodies of the right shape with arbitrary values of the right types. */
export const shaped = (name: EndpointName): fc.Arbitrary<Record<string, unknown>> =>
  like(schemaOf(name)) as fc.Arbitrary<Record<string, unknown>>;

/** A body that the endpoint's schema accepts, or null when none was found by trying (it has further constraints). */
export function fitting(name: EndpointName): Record<string, unknown> | null {
  return fc.sample(shaped(name), { numRuns: 500, seed: 7 }).find((body) => endpoints[name].body.safeParse(body).success) ?? null;
}

/** Values that are wrong for every field, and some that only some fields accept. */
export const ODDITIES: unknown[] = [undefined, null, true, -1, 1.5, 1e300, "", "\0", "x".repeat(5_000), [], [null], {}, { $ne: 1 }];
