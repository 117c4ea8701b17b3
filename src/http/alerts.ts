import { z } from "zod";
import type { Graph } from "../core/graph.ts";

const labels = z.record(z.string(), z.string()).default({});

/**
 * What Alertmanager posts; Grafana's webhook contact point sends the same fields.
 * @see https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
 */
export const Alerts = z.looseObject({
  alerts: z.array(z.looseObject({ status: z.string(), labels, annotations: labels, startsAt: z.string().optional() })).max(500),
});
export type Alerts = z.infer<typeof Alerts>;

/** Labels that name what is in trouble, the most telling first; any other label comes after them. */
const TELLING = [
  "service",
  "service_name",
  "app",
  "app_kubernetes_io_name",
  "application",
  "component",
  "deployment",
  "statefulset",
  "container",
  "job",
];
const MOST_QUESTIONS = 5;

/** One question for each service that firing alerts name; the alert's own words where they name none. */
export function alertQuestions({ alerts }: Alerts, graph: Graph): readonly string[] {
  const questions = new Set<string>();
  for (const alert of alerts) {
    if (alert.status === "resolved") continue;
    const rest = Object.keys(alert.labels)
      .filter((key) => !TELLING.includes(key))
      .toSorted();
    const service = [...TELLING, ...rest].map((key) => serviceOf(alert.labels[key], graph)).find((name) => name !== null);
    const words = alert.annotations.summary ?? alert.annotations.description ?? alert.labels.alertname ?? "";
    if (service != null) questions.add(`Why is ${service} broken?`);
    else if (words.trim() !== "") questions.add(`What is known about this alert: ${words.replace(/\s+/g, " ").slice(0, 300)}`);
    if (questions.size >= MOST_QUESTIONS) break;
  }
  return [...questions];
}

function serviceOf(value: string | undefined, graph: Graph): string | null {
  if (value === undefined || value.trim() === "") return null;
  const found = graph.resolve(value, "service");
  return found.type === "one" ? found.node.label : null;
}
