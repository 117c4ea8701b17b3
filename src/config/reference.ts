import { environment } from "./environment.ts";

/** What is read of a JSON Schema. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
}

/** docs/configuration.md: every key of the manifest, from its JSON Schema, and every variable of the environment. */
export function configurationPage(manifest: object): string {
  const { properties = {}, required = [] } = manifest as Schema;
  const { sources, ...others } = properties;
  const kinds = sources?.items?.oneOf ?? [];
  return [
    "# Configuration",
    "",
    "Made from the code (`npm run generate`): `manifest.json` says what is indexed and how, the environment holds what is secret or",
    "belongs to one machine. In any text of the manifest `${NAME}` is replaced from the environment; a variable that is missing is an",
    "error that names it, and so is a key that is not known. A key without a default and not marked as needed may be left out.",
    "",
    "`contextd init` makes a manifest, `contextd doctor` checks it.",
    "",
    "## manifest.json",
    "",
    ...table(rowsOf(others, required, "")),
    "",
    "## Sources",
    "",
    "`sources` is a list of blocks; `kind` says what each one is.",
    ...kinds.flatMap(sourceSection),
    "",
    "## Environment",
    "",
    ...Object.entries(environment).flatMap(([title, variables]) => [
      `**${title}**`,
      "",
      "| variable | |",
      "| --- | --- |",
      ...variables.map(({ name, about }) => `| \`${name}\` | ${cell(about)} |`),
      "",
    ]),
  ].join("\n");
}

function sourceSection({ properties = {}, required = [] }: Schema): string[] {
  const { kind, ...others } = properties;
  return ["", `### ${String(kind?.const)}`, "", ...table(rowsOf(others, required, ""))];
}

interface Row {
  readonly key: string;
  readonly takes: string;
  readonly fallback: string;
  readonly about: string;
}

function rowsOf(properties: Readonly<Record<string, Schema>>, required: readonly string[], prefix: string): Row[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const key = `${prefix}${name}`;
    const inner = schema.properties;
    // a block's own default is that of its keys
    const fallback = inner !== undefined || schema.default === undefined ? "" : code(JSON.stringify(schema.default));
    const needed = required.includes(name) && schema.default === undefined;
    const row: Row = { key, takes: typeOf(schema), fallback: needed ? "needed" : fallback, about: schema.description ?? "" };
    return inner === undefined ? [row] : [row, ...rowsOf(inner, schema.required ?? [], `${key}.`)];
  });
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((one) => code(String(one))).join(", ");
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return [...new Set(either.map(typeOf))].join(" or ");
  switch (schema.type) {
    case "array":
      return `list of ${schema.items === undefined ? "anything" : typeOf(schema.items)}`;
    case "object":
      return typeof schema.additionalProperties === "object" ? `names, each with ${typeOf(schema.additionalProperties)}` : "block";
    case "string":
      return schema.format === "uri" ? "address" : schema.format === "date-time" ? "ISO time" : "text";
    case "boolean":
      return "true or false";
    case "integer":
    case "number":
      return `${schema.type === "integer" ? "whole number" : "number"}${boundsOf(schema)}`;
    default:
      return "anything";
  }
}

function boundsOf({ minimum, maximum }: Schema): string {
  // a whole number without a bound of its own is given the largest that JSON can hold
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  if (least !== undefined) return ` from ${least}`;
  return most === undefined ? "" : ` up to ${most}`;
}

function table(rows: readonly Row[]): string[] {
  return [
    "| key | takes | default | |",
    "| --- | --- | --- | --- |",
    ...rows.map(({ key, takes, fallback, about }) => `| \`${key}\` | ${cell(takes)} | ${cell(fallback)} | ${cell(about)} |`),
  ];
}

const code = (text: string): string => `\`${text}\``;
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
