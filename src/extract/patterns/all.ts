import { affects } from "./affects.ts";
import { causedBy } from "./caused-by.ts";
import { dependsOn } from "./depends-on.ts";
import { fixes } from "./fixes.ts";
import { modified } from "./modified.ts";
import { owns } from "./owns.ts";
import type { EdgePhrases } from "./phrase-rule.ts";

/** All phrases, by kind of edge, in the order in which a sentence is read for them. */
export const edgePhrases: readonly EdgePhrases[] = [dependsOn, owns, fixes, causedBy, affects, modified];
