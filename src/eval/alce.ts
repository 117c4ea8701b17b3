/** A sentence of an answer and the numbers of the sources that it cites. */
export interface CitedSentence {
  readonly text: string;
  readonly cites: readonly number[];
}

/** Whether these sources together bear a sentence; null where it states nothing that could be borne. */
export type Bears = (sentence: string, cites: readonly number[]) => Promise<boolean | null>;

export interface CitationScore {
  /** Share of the sentences that all they cite bears. */
  readonly recall: number;
  /** Share of the citations that are of use. */
  readonly precision: number;
}

/**
 * Citation recall and precision of one answer. Recall: a sentence counts when what it cites bears it as a whole. Precision: a citation
 * counts when its sentence is borne and it is not irrelevant, which it is when it does not bear the sentence by itself and the others
 * do so without it. Null where nothing is stated. A set of answers has the mean of its answers.
 * The definitions are those of ALCE; what "bears" means is for the caller to decide (there an entailment model, T5-11B on NLI data).
 * @see Gao, Yen, Yu, Chen 2023, arXiv 2305.14627, section 3
 */
export async function citationScore(sentences: readonly CitedSentence[], bears: Bears): Promise<CitationScore | null> {
  let stated = 0;
  let borne = 0;
  let citations = 0;
  let useful = 0;
  for (const { text, cites } of sentences) {
    const whole = cites.length === 0 ? false : await bears(text, cites);
    if (whole === null) continue;
    stated += 1;
    citations += cites.length;
    if (!whole) continue;
    borne += 1;
    for (const one of cites) if (!(await irrelevant(text, one, cites, bears))) useful += 1;
  }
  if (stated === 0) return null;
  return { recall: borne / stated, precision: citations === 0 ? 0 : useful / citations };
}

async function irrelevant(text: string, one: number, cites: readonly number[], bears: Bears): Promise<boolean> {
  if (cites.length === 1) return false;
  if ((await bears(text, [one])) === true) return false;
  const others = cites.filter((n) => n !== one);
  return (await bears(text, others)) === true;
}
