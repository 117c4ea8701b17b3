import { SourceConfig } from "../connectors/registry.ts";
import { codes } from "../core/errors.ts";
import { manifestJsonSchema } from "./manifest.ts";
import { configurationPage } from "./reference.ts";

/** Every checked-in file that is made from code, by path, with its text. */
export function generatedFiles(): Readonly<Record<string, string>> {
  const schema = manifestJsonSchema(SourceConfig);
  return {
    "manifest.schema.json": `${JSON.stringify(schema, null, 2)}\n`,
    "docs/configuration.md": configurationPage(schema),
    "docs/errors.md": errorsPage(),
  };
}

function errorsPage(): string {
  const rows = Object.entries(codes).map(([code, { status, exit, remedy }]) => `| \`${code}\` | ${status} | ${exit} | ${remedy} |`);
  return [
    "# Errors",
    "",
    "Every error names what happened and where, and carries one of these codes. Over HTTP it is a problem detail (RFC 9457) with the status;",
    "the command line prints message and remedy and exits with the exit code.",
    "",
    "| code | HTTP | exit | what to do |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
