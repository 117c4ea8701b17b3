import { z } from "zod";
import * as answer from "../core/answer.ts";
import { codes } from "../core/errors.ts";
import { Problem } from "./problem.ts";
import type { Route } from "./route.ts";
import * as schemas from "./schemas.ts";

type JsonSchema = Record<string, unknown>;

/** Schemas that get a name of their own in the document; all others stand where they are used. */
const named: Readonly<Record<string, z.ZodType>> = {
  Answer: answer.Answer,
  Citation: answer.Citation,
  Claim: answer.Claim,
  Evidence: schemas.Evidence,
  PastAnswer: schemas.PastAnswer,
  Problem,
  Related: schemas.Related,
  Run: schemas.Run,
  ServiceRow: schemas.ServiceRow,
  ServiceView: schemas.ServiceView,
};

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });

const uri = (id: string): string => `#/components/schemas/${id}`;

/** One schema as OpenAPI 3.1 (JSON Schema 2020-12), named ones as references. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const name = registry.get(schema)?.id;
  if (name !== undefined) return { $ref: uri(name) };
  const local = z.registry<{ id: string }>();
  for (const [id, one] of Object.entries(named)) local.add(one, { id });
  local.add(schema, { id: "_" });
  const { schemas: made } = z.toJSONSchema(local, { uri, io, unrepresentable: "any" });
  return bare(made._ as JsonSchema);
}

/** Without the keys that only make sense in a file of its own. */
function bare(schema: JsonSchema): JsonSchema {
  const { $schema: _schema, $id: _id, id: _old, ...rest } = schema;
  return rest;
}

function parametersOf(route: Route): JsonSchema[] {
  const name = /\{(\w+)\}/.exec(route.path)?.[1];
  const path =
    name === undefined
      ? []
      : [{ name, in: "path", required: true, description: route.parameter ?? "", schema: { type: "string", minLength: 1 } }];
  if (route.query === undefined) return path;
  const { properties = {}, required = [] } = schemaOf(route.query, "input") as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const query = Object.entries(properties).map(([key, { description, ...schema }]) => ({
    name: key,
    in: "query",
    required: required.includes(key),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
  return [...path, ...query];
}

function operationOf(route: Route): JsonSchema {
  const replies: Record<string, JsonSchema> = {};
  for (const [status, { about, schema, type = "application/json", also = [] }] of Object.entries(route.replies)) {
    const content: Record<string, JsonSchema> = {
      [type]: { schema: schema === undefined ? { type: "string" } : schemaOf(schema, "output") },
    };
    for (const other of also) content[other] = other === "text/event-stream" ? {} : { schema: { type: "string" } };
    replies[status] = { description: about, content };
  }
  replies.default = {
    description: "What went wrong, and what to do",
    content: { "application/problem+json": { schema: { $ref: uri("Problem") } } },
  };
  const requestBody =
    route.body !== undefined
      ? { required: !route.body.safeParse({}).success, content: { "application/json": { schema: schemaOf(route.body, "input") } } }
      : route.rawBody !== undefined
        ? { required: true, description: route.rawBody.about, content: { [route.rawBody.type]: { schema: route.rawBody.schema ?? {} } } }
        : undefined;
  return {
    operationId: `${route.method}${route.path.replace(/[^a-z0-9]+/gi, "_")}`.replace(/_$/, ""),
    summary: route.summary,
    ...(route.scope === "public" ? { security: [] } : { description: `Scope: ${route.scope}.` }),
    parameters: parametersOf(route),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: replies,
  };
}

/** The OpenAPI 3.1 document of the routes, made from the schemas that also validate. */
export function openApi(routes: readonly Route[], version: string): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) };
  const { schemas: components } = z.toJSONSchema(registry, { uri, io: "output", unrepresentable: "any" });
  return {
    openapi: "3.1.0",
    info: {
      title: "contextd",
      version,
      description: `Engineering context with a citation on every sentence. Errors are RFC 9457 problem details; codes: ${Object.keys(codes).join(", ")}.`,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    security: [{}, { bearer: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).map(([id, schema]) => [id, bare(schema as JsonSchema)])),
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    },
  };
}
