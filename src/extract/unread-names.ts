import type { Fact, NodeId } from "../core/fact.ts";
import type { About } from "./compiled-phrases.ts";
import type { Mention } from "./mask.ts";

/** Says who speaks, before what is said: "Ada Lovelace: …", "- [Ada] …". */
const said = /^(?:[\]*_ ]{0,3}(?:\([^)]{0,40}\))? ?(?::|\bwrote\b|\bsaid\b)|, \d)/;
/** Sentences that only point elsewhere, ask, or clear somebody. */
const aside =
  /\?["”')\s]*$|^\W*(?:see|cf|ask|siehe|thanks|danke|merci|present|attendees|anwesend)\b|\b(?:healthy|fine|unaffected|untouched|unrelated|innocent|uninvolved|ruled out|red herring|nothing to do|not (?:affected|involved|touched|the cause|related)|nicht betroffen|nichts zu tun|gesund)\b/i;

/** Notes the names of sentences that may relate them, so that what is left out of all facts shows what no rule has read. */
export class UnreadNames {
  private readonly about: About;
  private readonly sentences: (readonly NodeId[])[] = [];

  constructor(about: About) {
    this.about = about;
  }

  /** @param start of the sentence's text in the body */
  add(mentions: readonly Mention[], text: string, start: number): void {
    if (mentions.length === 0 || aside.test(text)) return;
    const { ticket, service } = this.about;
    const nodes = mentions.flatMap((mention) => {
      const [node, more] = mention.nodes;
      if (node === undefined || more !== undefined || node === ticket || node === service || mention.bare) return [];
      const isPerson = mention.kind === "engineer" || mention.kind === "team";
      // who says something in a ticket, and what other tickets it names, are no relations of its own
      if (ticket !== null && (isPerson || mention.kind === "ticket")) return [];
      return isPerson && said.test(text.slice(mention.end - start)) ? [] : [node];
    });
    // without a subject of the record it takes two to be related
    if (new Set(nodes).size > (ticket === null && service === null ? 1 : 0)) this.sentences.push(nodes);
  }

  /** How many of the sentences hold a name that no fact has at one of its ends. */
  without(facts: readonly Fact[]): number {
    if (this.sentences.length === 0) return 0;
    const ends = new Set(facts.flatMap(({ source, target }) => [source, target]));
    const { ticket } = this.about;
    // once the cause is known, further services in a ticket are mostly those that were fine or came along
    const explained = ticket !== null && facts.some(({ kind, source }) => kind === "caused_by" && source === ticket);
    const counts = (node: NodeId): boolean => !ends.has(node) && (!explained || node.startsWith("commit:"));
    return this.sentences.filter((nodes) => nodes.some(counts)).length;
  }
}
