/** One template: the words that its messages share, `<*>` where they differ. */
export interface Cluster<Data> {
  readonly context: string;
  tokens: string[];
  count: number;
  data: Data;
}

const WILDCARD = "<*>";
/** He et al. use 0.4 to 0.5 on most of their data sets. */
const SIMILARITY = 0.5;
const LONGEST = 400;
const MOST_TOKENS = 60;

/**
 * Folds messages into templates by Drain: messages are grouped by number of words and first word, then joined with the
 * most similar template of their group when at least half of the words are equal; words that differ become `<*>`.
 * Words that hold a digit are `<*>` from the start.
 * @see He, Zhu, Zheng, Lyu 2017, "Drain: An Online Log Parsing Approach with Fixed Depth Tree", ICWS
 */
export class Drain<Data> {
  readonly #groups = new Map<string, Cluster<Data>[]>();
  /** Masked messages that were seen before, so that a repeated line costs one look-up. */
  readonly #known = new Map<string, Cluster<Data>>();
  readonly #most: number;
  size = 0;

  /** @param most templates kept; further ones join the last of their kind under one template of their context */
  constructor(most = 2000) {
    this.#most = most;
  }

  /**
   * @param context what a template may not mix: level and service
   * @param masked the message with `mask` applied
   * @param create makes the data of a new template
   */
  add(context: string, masked: string, create: () => Data): Cluster<Data> {
    const key = `${context}\n${masked}`;
    let cluster = this.#known.get(key);
    if (!cluster) {
      cluster = this.#find(context, masked.split(" ", MOST_TOKENS), create);
      if (this.#known.size >= 20_000) this.#known.clear();
      this.#known.set(key, cluster);
    }
    cluster.count += 1;
    return cluster;
  }

  /** Puts back a template from an earlier run. */
  restore(cluster: Cluster<Data>): void {
    this.#group(cluster.context, cluster.tokens).push(cluster);
    this.size += 1;
  }

  *clusters(): Generator<Cluster<Data>> {
    for (const group of this.#groups.values()) yield* group;
  }

  #group(context: string, tokens: readonly string[]): Cluster<Data>[] {
    const key = `${context}\n${tokens.length}\n${tokens[0] ?? ""}`;
    let group = this.#groups.get(key);
    if (!group) {
      group = [];
      this.#groups.set(key, group);
    }
    return group;
  }

  #find(context: string, tokens: string[], create: () => Data): Cluster<Data> {
    const full = this.size >= this.#most;
    const group = this.#group(context, full ? [WILDCARD] : tokens);
    if (full) tokens = [WILDCARD];
    let best: Cluster<Data> | null = null;
    let bestScore = -1;
    for (const cluster of group) {
      const score = similarity(cluster.tokens, tokens);
      if (score > bestScore) [best, bestScore] = [cluster, score];
    }
    if (best && bestScore >= (full ? 0 : SIMILARITY)) {
      best.tokens = best.tokens.map((token, i) => (token === tokens[i] ? token : WILDCARD));
      return best;
    }
    const made: Cluster<Data> = { context, tokens, count: 0, data: create() };
    group.push(made);
    this.size += 1;
    return made;
  }
}

/** Share of equal words; `<*>` in a template equals only what was masked in the message. */
function similarity(template: readonly string[], tokens: readonly string[]): number {
  let equal = 0;
  for (let i = 0; i < template.length; i++) if (template[i] === tokens[i]) equal += 1;
  return equal / template.length;
}

/** Words that hold a digit become `<*>`, runs of white space one blank; at most 400 characters are looked at. */
export function mask(message: string): string {
  const length = Math.min(message.length, LONGEST);
  let out = "";
  let from = 0;
  let digit = false;
  for (let i = 0; i <= length; i++) {
    const code = i < length ? message.charCodeAt(i) : 32;
    if (isWord(code)) {
      if (code >= 48 && code <= 57) digit = true;
      continue;
    }
    if (i > from) out += digit ? WILDCARD : message.slice(from, i);
    digit = false;
    from = i + 1;
    if (code > 32) out += message[i];
    else if (out !== "" && !out.endsWith(" ")) out += " ";
  }
  return out.trimEnd();
}

function isWord(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 45 || code > 127
  );
}
