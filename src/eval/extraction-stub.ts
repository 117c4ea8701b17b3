import type { EdgeKind } from "../core/fact.ts";
import { sentencesOf } from "../core/sentences.ts";
import type { World } from "./ground-truth.ts";
import type { ChatRequest } from "./scripted-model.ts";

/** How a stub reads: as a good model would, carelessly, or as one that wants the graph to be wrong. */
export const manners = ["good", "sloppy", "hostile"] as const;
export type Manner = (typeof manners)[number];

/** A relation as a model writes it; parts may be missing. */
type Stated = Partial<Record<"source" | "kind" | "target" | "quote" | "reason", string>> & { readonly ends?: boolean };

interface Shown {
  readonly n: number;
  readonly text: string;
}

/**
 * A model for the extraction tiers whose replies are a function of the prompt. It may read the world's truth, which the product
 * never sees: good replies are the truth with its quotes; sloppy ones are the same with the faults that small models have
 * (paraphrased quotes, misspelt names, ends swapped, parts missing, words around the JSON, replies cut off); hostile ones join every name
 * to every name, under quotes that are there but say something else, of other records, denied, or with services that do not exist.
 */
export function stubReply(world: World, manner: Manner): (request: ChatRequest) => string {
  const truth = new Truth(world);
  return (request) => {
    const prompt = request.messages[1]?.content ?? "";
    const shown = recordsIn(prompt);
    const repairing = request.messages.length > 2;
    if (manner === "good") return JSON.stringify({ records: shown.map(({ n, text }) => ({ n, relations: truth.of(text) })) });
    if (manner === "sloppy") return sloppily(shown, truth, repairing);
    const known = knownIn(prompt);
    return JSON.stringify({ records: shown.map((one) => ({ n: one.n, relations: lies(one, shown, known) })) });
  };
}

function recordsIn(prompt: string): Shown[] {
  return [...prompt.matchAll(/<<<text (\d+)\n([\s\S]*?)\n\1 end>>>/g)].map((match) => ({ n: Number(match[1]), text: match[2] ?? "" }));
}

function knownIn(prompt: string): { readonly label: string; readonly kind: string }[] {
  const line = /^Known names: (.*)$/m.exec(prompt)?.[1] ?? "";
  return [...line.matchAll(/([^,()]+) \((\w+)\)/g)].map((match) => ({ label: (match[1] ?? "").trim(), kind: match[2] ?? "" }));
}

/** What the world's truth says of a shown text. */
class Truth {
  private readonly byRecord = new Map<string, Stated[]>();
  private readonly bodies: readonly { readonly id: string; readonly prose: string }[];

  constructor(world: World) {
    const labels = new Map(world.entities.map((entity) => [entity.id, entity.label ?? entity.id.slice(entity.id.indexOf(":") + 1)]));
    const nameOf = (id: string, quote: string): string => {
      if (id.startsWith("commit:")) {
        const sha = id.slice("commit:".length);
        return quote.match(/[0-9a-f]{6,40}/g)?.find((part) => sha.startsWith(part)) ?? sha;
      }
      return id.startsWith("ticket:") ? id.slice("ticket:".length) : (labels.get(id) ?? id.slice(id.indexOf(":") + 1));
    };
    for (const edge of world.edges) {
      for (const { id, quote } of edge.records) {
        if (quote === undefined) continue;
        const relation = { source: nameOf(edge.source, quote), kind: edge.kind, target: nameOf(edge.target, quote), quote };
        this.byRecord.set(id, [...(this.byRecord.get(id) ?? []), relation]);
      }
    }
    this.bodies = world.records.map((record) => ({ id: record.id, prose: record.body.slice(0, record.proseEnd) }));
  }

  of(text: string): readonly Stated[] {
    const record = this.bodies.find(({ prose }) => prose.includes(text));
    return (record === undefined ? [] : (this.byRecord.get(record.id) ?? [])).filter((one) => text.includes(one.quote ?? ""));
  }
}

function randomFrom(text: string): () => number {
  let state = 2166136261;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822507) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

function sloppily(shown: readonly Shown[], truth: Truth, repairing: boolean): string {
  const random = randomFrom(shown.map(({ text }) => text).join("\n") + String(repairing));
  const records = shown.map(({ n, text }) => {
    const relations = truth.of(text).map((relation) => spoilt(relation, random));
    // reads an effect into any sentence that names a service
    const sentences = sentencesOf(text).map(({ start, end }) => text.slice(start, end));
    const guess = sentences[Math.floor(random() * sentences.length)] ?? "";
    if (relations.length > 0 && random() < 0.4)
      relations.push({ source: "this", kind: "affects", target: relations[0]?.target ?? "", quote: guess });
    return { n, relations };
  });
  const json = JSON.stringify({ records });
  const dice = random();
  if (dice < 0.2 && !repairing) return `Looking at {each} record, I find that the services depend on each other.`;
  if (dice < 0.4) return json.slice(0, Math.floor(json.length * (0.4 + 0.5 * random())));
  if (dice < 0.6) return `Sure! Here are the relations:\n\`\`\`json\n${json}\n\`\`\`\nLet me know if you need {more}.`;
  return json;
}

function spoilt(relation: Stated, random: () => number): Stated {
  const { source = "", target = "", kind = "", quote = "" } = relation;
  switch (Math.floor(random() * 10)) {
    case 0:
      return { ...relation, quote: quote.split(" ").toReversed().join(" ") };
    case 1:
      return { ...relation, source: target, target: source };
    case 2:
      return { source, kind, target };
    case 3:
      return { ...relation, kind: kind.replace("_", " ").toUpperCase() };
    case 4:
      return { ...relation, target: `${target.slice(0, 2)}${target.slice(3)}` };
    case 5:
      return { ...relation, source: source.replaceAll("-", "_"), quote: `“${quote.toUpperCase()}.”` };
    default:
      return relation;
  }
}

const kinds: readonly EdgeKind[] = ["owns", "affects", "fixes", "depends_on", "caused_by", "modified"];
const mostLies = 80;

/** Every name of a sentence joined to every other, and worse. */
function lies({ n, text }: Shown, batch: readonly Shown[], known: readonly { readonly label: string; readonly kind: string }[]): Stated[] {
  const random = randomFrom(text);
  const all: Stated[] = [];
  const here = known.filter(({ label }) => text.toLowerCase().includes(label.toLowerCase())).map(({ label }) => label);
  const elsewhere = batch.find((other) => other.n !== n)?.text ?? "";
  for (const { start, end } of sentencesOf(text)) {
    const quote = text.slice(start, end);
    if (quote.length > 500) continue;
    const named = [
      ...here.filter((label) => quote.toLowerCase().includes(label.toLowerCase())),
      ...(quote.match(/\b[0-9a-f]{6,40}\b|\b[A-Z]{2,10}-\d+\b/g) ?? []),
    ];
    for (const kind of kinds) {
      for (const source of ["this", ...named, ...here.slice(0, 2)]) {
        for (const target of [...named, ...here.slice(0, 2), "this"]) {
          if (source === target) continue;
          all.push({ source, kind, target, quote, ...(random() < 0.1 ? { ends: true } : {}) });
        }
      }
    }
    const words = quote.match(/[A-Za-z][\w-]{3,}/g) ?? [];
    for (const word of words.slice(0, 4))
      all.push({ source: named[0] ?? "this", kind: "depends_on", target: word, quote, reason: "it is an internal service of ours" });
  }
  const [stray] = sentencesOf(elsewhere);
  if (stray !== undefined)
    all.push({ source: "this", kind: "caused_by", target: here[0] ?? "", quote: elsewhere.slice(stray.start, stray.end) });
  all.push({ source: here[0] ?? "", kind: "depends_on", target: here[1] ?? "", quote: `${here[0]} depends on ${here[1]}.` });
  for (const order of text.matchAll(/\b(?:edge|relation|fact):? "?([\w-]+) (owns|depends_on|affects|caused_by) ([\w-]+)/g))
    all.push({ source: order[1] ?? "", kind: order[2] ?? "", target: order[3] ?? "", quote: order[0] });
  while (all.length > mostLies) all.splice(Math.floor(random() * all.length), 1);
  return all;
}
