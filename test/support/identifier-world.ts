import type { Chunk } from "../../src/core/chunk.ts";
import { chunkOf } from "./shapes.ts";

export interface IdentifierWorld {
  readonly chunks: readonly Chunk[];
  readonly questions: readonly { readonly question: string; readonly identifier: string; readonly chunkId: string }[];
}

const subjects = [
  "failover",
  "rollback",
  "session cache",
  "payment queue",
  "certificate renewal",
  "disk pressure",
  "retry storm",
  "schema change",
];
const actions = [
  "restart the worker and wait",
  "promote the replica",
  "drain the node first",
  "page the owner of the service",
  "raise the limit by half",
];

/**
 * Chunks that differ in one identifier and share all their words: for each identifier that is asked for, one chunk that
 * holds it and several that hold look-alikes (digits swapped, one more, one less). The rest is filled with more of them.
 */
export function makeIdentifierWorld(identifiers: number, total: number): IdentifierWorld {
  const chunks: Chunk[] = [];
  const questions: IdentifierWorld["questions"][number][] = [];
  const asked = Array.from({ length: identifiers }, (_, i) => identifierOf(i));
  const taken = new Set(asked.map((one) => one.toLowerCase()));
  asked.forEach((identifier, i) => {
    const at = add(chunks, identifier, i);
    const subject = subjects[i % subjects.length];
    questions.push({ question: `What does ${identifier} say about the ${subject}?`, identifier, chunkId: at });
    for (const alike of lookAlikes(identifier)) if (!taken.has(alike.toLowerCase())) add(chunks, alike, i);
  });
  for (let i = identifiers; chunks.length < total; i++) {
    const more = identifierOf(i);
    if (!taken.has(more.toLowerCase())) add(chunks, more, i);
  }
  return { chunks: chunks.slice(0, total), questions };
}

/** Five kinds in turn, each number only once. */
function identifierOf(i: number): string {
  const number = 1000 + i * 7;
  const hex = (Math.imul(i + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, "0");
  switch (i % 5) {
    case 0:
      return `CONF-${number}`;
    case 1:
      return `a${hex}${(number % 10).toString()}`;
    case 2:
      return `${number % 90}.${Math.floor(number / 90)}.${i % 17}`;
    case 3:
      return `ERR_${["CACHE", "POOL", "LOCK"][i % 3]}_${number}`;
    default:
      return `runbook-${number}.md`;
  }
}

function lookAlikes(identifier: string): string[] {
  const at = [...identifier].findLastIndex((letter) => /\d/.test(letter));
  const digit = Number(identifier[at]);
  const withDigit = (other: string) => identifier.slice(0, at) + other + identifier.slice(at + 1);
  return [
    withDigit(String((digit + 1) % 10)),
    withDigit(String((digit + 5) % 10)),
    withDigit(`${digit}0`),
    withDigit(`${digit}${(digit + 3) % 10}`),
  ];
}

function add(chunks: Chunk[], identifier: string, i: number): string {
  const record = `documents:page-${chunks.length}`;
  const subject = subjects[i % subjects.length];
  const text = `${identifier}: what to do about the ${subject}. When the ${subject} happens, ${actions[i % actions.length]}, then close the ticket.`;
  chunks.push(chunkOf(record, text));
  return `${record}#1`;
}
