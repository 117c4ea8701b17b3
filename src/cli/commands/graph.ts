import type { App, ExportFormat } from "../../core/app.ts";
import { ContextError } from "../../core/errors.ts";
import { unknownStart } from "../../core/fact.ts";
import type { GraphEdge, GraphNode, SubGraph } from "../../core/graph.ts";
import type { Command, CommandContext } from "../command.ts";
import { tableText } from "../render.ts";
import { instantOf } from "./ask.ts";
import { wholeNumber } from "./search.ts";

export const graphCommand: Command = {
  name: "graph",
  usage: "graph show NAME [--hops 2] | export [--format json|graphml|dot] | why A B | merges [--undo ID] | ambiguities | diff --since ISO",
  about: "Shows, exports and explains the knowledge graph.",
  options: { hops: { type: "string" }, format: { type: "string" }, undo: { type: "string" }, since: { type: "string" } },
  async run(context) {
    const [action, ...names] = context.args;
    switch (action) {
      case "show":
        return show(context, names.join(" "));
      case "export":
        return exportAll(context);
      case "why":
        return why(context, names);
      case "merges":
        return merges(context);
      case "ambiguities":
        return ambiguities(context);
      case "diff":
        return diff(context);
      default:
        throw new ContextError(
          "USAGE",
          `graph needs one of show, export, why, merges, ambiguities, diff${action === undefined ? "" : `, not "${action}"`}.`,
        );
    }
  },
};

async function show({ values, json, io, open }: CommandContext, name: string): Promise<number> {
  if (name === "") throw new ContextError("USAGE", "graph show needs the name of a service, ticket, commit or person.");
  const hops = wholeNumber("--hops", values.hops, 2, 0, 2);
  const app = await open();
  const part = app.graph.expand([nodeOf(app, name).id], { hops, at: null });
  if (json) outLines(io, app.exportGraph("json", part));
  else io.out(subGraphText(part));
  return 0;
}

async function exportAll({ values, io, open }: CommandContext): Promise<number> {
  const format = values.format ?? "json";
  if (format !== "json" && format !== "graphml" && format !== "dot")
    throw new ContextError("USAGE", `--format is json, graphml or dot, not "${format}".`);
  const app = await open();
  outLines(io, app.exportGraph(format satisfies ExportFormat));
  return 0;
}

/** Lines written at once. */
const BATCH = 1000;

function outLines(io: CommandContext["io"], lines: Iterable<string>): void {
  let batch: string[] = [];
  for (const line of lines) {
    if (batch.push(line) < BATCH) continue;
    io.out(batch.join("\n"));
    batch = [];
  }
  if (batch.length > 0) io.out(batch.join("\n"));
}

async function why({ json, io, open }: CommandContext, names: readonly string[]): Promise<number> {
  const [from, to] = names;
  if (from === undefined || to === undefined || names.length > 2)
    throw new ContextError("USAGE", "graph why needs two names; put a name with blanks in quotation marks.");
  const app = await open();
  const path = app.why(nodeOf(app, from).id, nodeOf(app, to).id);
  if (json) {
    io.out(JSON.stringify({ path }));
    return 0;
  }
  if (path === null) {
    io.out("No path of stated edges joins the two.");
    return 0;
  }
  for (const hop of path) {
    io.out(edgeText(hop.edge));
    for (const quote of hop.quotes) io.out(`    "${quote.text.replace(/\s+/g, " ")}" (${quote.record})`);
  }
  return 0;
}

async function merges({ values, json, io, open, change }: CommandContext): Promise<number> {
  const undo = values.undo;
  if (typeof undo === "string") {
    await (await change()).undoMerge(undo);
    io.out(json ? JSON.stringify({ undone: undo }) : `Undone: ${undo}`);
    return 0;
  }
  const rows = (await open()).merges();
  if (json) io.out(JSON.stringify(rows));
  else if (rows.length === 0) io.out("No names were merged.");
  else
    io.out(
      tableText([
        ["id", "node", "name", "rule", "score", "records"],
        ...rows.map((row) => [row.id, row.node, row.name, row.rule, row.score.toFixed(2), row.records.slice(0, 3).join(", ")]),
      ]),
    );
  return 0;
}

async function ambiguities({ json, io, open }: CommandContext): Promise<number> {
  const rows = (await open()).ambiguities();
  io.out(
    json
      ? JSON.stringify(rows)
      : rows.length === 0
        ? "No spelling is ambiguous."
        : tableText(rows.map((row) => [row.name, row.nodes.join(", ")])),
  );
  return 0;
}

async function diff({ values, json, io, open }: CommandContext): Promise<number> {
  const since = instantOf(values.since);
  if (since === undefined) throw new ContextError("USAGE", "graph diff needs --since with an ISO 8601 time.");
  const changed = (await open()).graphDiff(since.toISOString());
  if (json) io.out(JSON.stringify(changed));
  else {
    for (const edge of changed.began) io.out(`+ ${edgeText(edge)}`);
    for (const edge of changed.ended) io.out(`- ${edgeText(edge)}`);
    if (changed.began.length + changed.ended.length === 0) io.out("Nothing changed.");
  }
  return 0;
}

/** The one node a name means; throws NOT_FOUND that names the candidates. */
function nodeOf(app: App, name: string): GraphNode {
  const found = app.graph.resolve(name);
  if (found.type === "one") return found.node;
  if (found.type === "many")
    throw new ContextError("NOT_FOUND", `"${name}" could be ${found.nodes.map((node) => node.id).join(", ")}.`, {
      remedy: "Name one of them by its id.",
    });
  const nearest = found.nearest.map((node) => node.label).join(", ");
  throw new ContextError(
    "NOT_FOUND",
    `Nothing in the graph is called "${name}".`,
    nearest === "" ? {} : { remedy: `Did you mean ${nearest}?` },
  );
}

function subGraphText(part: SubGraph): string {
  const nodes = part.nodes.map((node) => [String(node.hop), node.id, node.label]);
  const left = part.leftOut > 0 ? [`(${part.leftOut} more left out)`] : [];
  return [tableText([["hop", "node", "name"], ...nodes]), "", ...part.edges.map(edgeText), ...left].join("\n");
}

function edgeText(edge: GraphEdge): string {
  const until = edge.validTo === null ? "" : `, until ${edge.validTo}`;
  const evidence = edge.evidence[0];
  return `${edge.source} ${edge.kind} ${edge.target} (${since(edge)}${until}; ${evidence === undefined ? "no evidence" : evidence.span.record}${edge.evidence.length > 1 ? ` and ${edge.evidence.length - 1} more` : ""})`;
}

/** A record may state something without a time: it held at some time before. */
function since({ validFrom }: GraphEdge): string {
  return validFrom === unknownStart ? "at some time" : `since ${validFrom}`;
}
