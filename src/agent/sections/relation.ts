import { type Desk, evidenceOf, subjects } from "../desk.ts";
import { semanticSearch } from "../tools.ts";
import { headSpan, inQuotes } from "../view.ts";

/** Whether what the question describes concerns a service: the record that it describes, and whether an edge links the two. */
export async function relation(desk: Desk): Promise<void> {
  const { question, view, calls, sheet } = desk;
  const found = await calls.run(semanticSearch, { query: question.text, k: 5, kinds: ["ticket", "issue", "commit", "pull"], since: null });
  for (const service of subjects(question)) {
    for (const { chunk } of found?.passages ?? []) {
      const record = view.records.get(chunk.span.record);
      if (record === null) continue;
      const body = record.body.slice(0, record.proseEnd).toLowerCase();
      const share = question.topic.filter((word) => body.includes(word)).length / Math.max(1, question.topic.length);
      if (share < 0.5) continue;
      const node = view.graph
        .nodesOfRecord(record.id)
        .map((id) => view.graph.node(id))
        .find((one) => one !== null && view.recordOf(one)?.id === record.id);
      if (node === null || node === undefined) continue;
      const edges = view.edges(node.id, ["affects", "modified", "caused_by"], "out", null).filter(({ target }) => target === service.id);
      if (edges.length > 0) {
        sheet.say(`${view.name(node)} concerns ${service.label}.`, evidenceOf(edges), 0, 0.85);
      } else {
        sheet.say(
          `${view.name(node)} uses such words (${inQuotes(record.title, 80)}), but nothing links it to the service ${service.label}.`,
          [headSpan(record)],
          0,
          0.75,
        );
        sheet.nothing(`links of ${view.name(node)} to ${service.label}`);
      }
      break;
    }
  }
}
