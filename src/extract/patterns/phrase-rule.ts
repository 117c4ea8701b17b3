import type { EdgeKind } from "../../core/fact.ts";

/**
 * A phrase that tier 1 reads, as data. In a pattern «S» is a service, «E» an engineer, «T» a team, «P» an engineer
 * or team, «K» a ticket, «C» a commit; each stands for one masked name. Named groups `source` and `target` give the
 * edge's ends; a rule without a group for one of them takes it from the record: its own ticket, or what the page is about.
 * Each rule's examples are its tests: `yes` with the edge that it must give, `no` with none of its kind.
 * No pattern nests a repetition in a repetition, so all run in linear time.
 */
export interface PhraseRule {
  readonly name: string;
  readonly pattern: string;
  /** Kinds of names (S, P, K, C) that every match holds, so that most sentences are spared most rules. */
  readonly needs: string;
  readonly confidence: number;
  /** More targets (or sources) may follow: "redis, kafka and payments". */
  readonly list?: "source" | "target";
  /** Whether the match says that the edge ended, that it held once, or that it begins now. */
  readonly effect?: "ends" | "past" | "begins";
  /** Only where the record is about one ticket ("ticket"), about one service ("service"), a page that describes one ("page"), a page that tells who owns what ("owners"), or in log lines. */
  readonly about?: "ticket" | "service" | "page" | "log" | "owners";
  /** Further items of this end stand before it: "alpha and beta: Ada". */
  readonly before?: "source" | "target";
  /** Only at the start of a sentence or line. */
  readonly start?: boolean;
  /** The phrase itself holds the denial: "needs nothing but «S»". */
  readonly denies?: true;
  /** Words in the clause before the match that turn its meaning around: "it works again since «C»". */
  readonly unless?: RegExp;
  readonly yes: readonly (readonly [sentence: string, source: string, target: string])[];
  readonly no: readonly string[];
}

/** The phrases of one kind of edge. */
export interface EdgePhrases {
  readonly kind: EdgeKind;
  readonly rules: readonly PhraseRule[];
}
