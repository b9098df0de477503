/** Generates the OpenAPI 3.1 document from the contract. */
import * as z from "zod/mini";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { Endpoint } from "#contract/kernel/endpoint.ts";
import { refusals } from "#contract/kernel/refusal.ts";

/** A JSON Schema or OpenAPI fragment. */
type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodMiniType, io: "input" | "output"): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
};

const json = (schema: Json): Json => ({ "application/json": { schema } });

const acceptedSchema = (data: Json): Json => ({
  type: "object",
  properties: { status: { const: 1 }, msg: { type: "string" }, data },
  required: ["status", "msg", "data"],
});

/** Schema of a refused reply with the codes an endpoint may use. */
function refusedSchema(codes: readonly string[]): Json {
  return {
    type: "object",
    properties: {
      status: { const: 0 },
      msg: { type: "string", description: "Chinese text of the catalogue, filled in" },
      data: { type: "null" },
      code: { type: "string", enum: codes },
      params: { type: "object", additionalProperties: { type: ["string", "number"] } },
      field: { type: "string", description: "The body field the refusal concerns" },
    },
    required: ["status", "msg", "data", "code", "params"],
  };
}

function operationOf(name: EndpointName, endpoint: Endpoint): Json {
  const codes = [...new Set(["GEN_PARAM_ERROR", "GEN_TOO_FREQUENT", "GEN_SYSTEM_BUSY", ...endpoint.refusals])];
  const over = { description: "The session is over", content: json({ $ref: "#/components/schemas/SessionOver" }) };
  return {
    operationId: name,
    summary: endpoint.does,
    tags: [endpoint.path.split("/")[1] ?? "other"],
    security: endpoint.access === "member" ? [{ token: [], account: [] }] : [],
    requestBody: { required: true, content: json(schemaOf(endpoint.body, "input")) },
    responses: {
      "200": {
        description: "Accepted (`status` 1) or refused (`status` 0)",
        content: json({ oneOf: [acceptedSchema(schemaOf(endpoint.data, "output")), refusedSchema(codes)] }),
      },
      ...(endpoint.access === "member" ? { "401": over } : {}),
    },
  };
}

export function openApi(): Json {
  const paths = Object.entries(endpoints).map(([name, endpoint]) => [
    BASE_PATH + endpoint.path,
    { post: operationOf(name as EndpointName, endpoint) },
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Kuroshio",
      version: "1",
      description: `The broker's calls. Every one is a POST with a JSON body. Refusals: ${Object.keys(refusals).length} codes, each with its Chinese text.`,
    },
    servers: [{ url: "/" }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: { SessionOver: refusedSchema(["ACC_SESSION_EXPIRED"]) },
      securitySchemes: {
        token: { type: "apiKey", in: "header", name: "token" },
        account: { type: "apiKey", in: "header", name: "account" },
      },
    },
  };
}
