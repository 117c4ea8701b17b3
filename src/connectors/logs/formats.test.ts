import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mask } from "./drain.ts";
import type { Entry } from "./entry.ts";
import { Folder } from "./fold.ts";
import { workloadOfPod } from "./pod.ts";

function entriesOf(text: string): readonly Entry[] {
  const folder = new Folder({ zone: "UTC", reference: new Date("2026-08-21T00:00:00Z") });
  return [...text.split("\n").flatMap((line, i) => folder.push(line, i + 1)), ...folder.end()];
}

/** Lines as the named programs write them (their documentation's form), with the time, level and service that a reader finds. */
const lines: readonly (readonly [what: string, line: string, time: string | null, level: string | null, service: string | null])[] = [
  ["logback, time of day only", "12:34:56.789 [main] INFO  c.e.App - started", "2026-08-20T12:34:56.789Z", "info", null],
  ["Spring Boot", "2026-08-20 20:50:06.478  WARN 1 --- [main] c.e.App : slow", "2026-08-20T20:50:06.478Z", "warn", null],
  ["log4j in brackets", "[2026-08-20 20:50:06,478] ERROR {c.e.App} - bad", "2026-08-20T20:50:06.478Z", "error", null],
  [
    "log4j, with a thread that looks like a pod",
    "2026-08-20 20:50:06,478 ERROR [http-nio-8080-exec-1] c.e.App - bad",
    "2026-08-20T20:50:06.478Z",
    "error",
    null,
  ],
  ["log4j, with a logger of one word", "2026-08-20 20:50:06,478 WARN  [worker-3] App - slow", "2026-08-20T20:50:06.478Z", "warn", null],
  [
    "a shipper, with the pod in brackets",
    "2026-08-20 20:50:06,478 WARN [redis-0] replica is slow",
    "2026-08-20T20:50:06.478Z",
    "warn",
    "redis",
  ],
  ["Go's log", "2026/08/20 20:50:06 http: TLS handshake error", "2026-08-20T20:50:06.000Z", null, null],
  ["Rust's env_logger", "[2026-08-20T20:50:06Z INFO  shipping::quote] quote ok", "2026-08-20T20:50:06.000Z", "info", null],
  ["Ruby", "E, [2026-08-20T20:50:06.123456 #1234] ERROR -- : failed", "2026-08-20T20:50:06.123Z", "error", null],
  ["syslog in a file", "Aug 20 20:50:02 node-2 sshd[22]: error: no", "2026-08-20T20:50:02.000Z", "error", "sshd"],
  ["PostgreSQL", "2026-08-20 20:50:02.123 UTC [911] ERROR:  deadlock detected", "2026-08-20T20:50:02.123Z", "error", null],
  ["Redis", "1:M 20 Aug 2026 20:50:02.123 * Ready to accept connections", "2026-08-20T20:50:02.123Z", null, null],
  ["MySQL", "2026-08-20T20:50:02.123456Z 8 [ERROR] [MY-010957] [Server] bad", "2026-08-20T20:50:02.123Z", "error", null],
  ["Envoy", "[2026-08-20 20:50:02.123][1][warning][main] [source/server.cc:740] slow", "2026-08-20T20:50:02.123Z", "warn", null],
  ["Python's basicConfig", "ERROR:root:something broke", null, "error", null],
  ["gunicorn", "[2026-08-20 20:50:06 +0200] [7] [INFO] Booting worker", "2026-08-20T18:50:06.000Z", "info", null],
  ["Tomcat", "20-Aug-2026 20:50:06.478 SEVERE [main] org.apache.X failed", "2026-08-20T20:50:06.478Z", "error", null],
  ["java.util.logging", "Aug 20, 2026 8:50:06 PM org.apache.X start", "2026-08-20T20:50:06.000Z", null, null],
  ["fluentd", "2026-08-20 20:50:06 +0200 [error]: #0 failed", "2026-08-20T18:50:06.000Z", "error", null],
  [
    "Prometheus",
    'level=warn ts=2026-08-20T20:50:06.1Z caller=main.go:1 component=tsdb msg="slow"',
    "2026-08-20T20:50:06.100Z",
    "warn",
    null,
  ],
  ["logrus", 'time="2026-08-20T20:50:06Z" level=fatal msg="cannot bind" app=quote', "2026-08-20T20:50:06.000Z", "fatal", "quote"],
  [
    "zap",
    '{"level":"error","ts":1787259002.819,"caller":"x.go:1","msg":"bad","service":"checkout"}',
    "2026-08-20T20:50:02.819Z",
    "error",
    "checkout",
  ],
  [
    "bunyan",
    '{"name":"payment","hostname":"h","pid":1,"level":50,"msg":"x","time":"2026-08-20T20:50:02.123Z","v":0}',
    "2026-08-20T20:50:02.123Z",
    "error",
    "payment",
  ],
  [
    "GELF",
    '{"version":"1.1","host":"cart-7d9f8b6c5-x2x9p","short_message":"bad","timestamp":1787259002.819,"level":4}',
    "2026-08-20T20:50:02.819Z",
    "warn",
    "cart",
  ],
  ["Serilog", '{"@t":"2026-08-20T20:50:02.1Z","@mt":"User {Id} failed","@l":"Error","Id":4}', "2026-08-20T20:50:02.100Z", "error", null],
  [
    "Google Cloud",
    '{"severity":"CRITICAL","timestamp":"2026-08-20T20:50:02Z","textPayload":"oom","resource":{"labels":{"container_name":"cart"}}}',
    "2026-08-20T20:50:02.000Z",
    "fatal",
    "cart",
  ],
  [
    "OpenTelemetry, flat",
    '{"timestamp":"2026-08-20T20:52:01.293000Z","severityNumber":17,"body":"no","resource":{"service.name":"ad"}}',
    "2026-08-20T20:52:01.293Z",
    "error",
    "ad",
  ],
];

describe("the first line of an entry", () => {
  for (const [what, line, time, level, service] of lines) {
    it(`is read as ${what} writes it`, () => {
      const entries = entriesOf(line);

      assert.equal(entries.length, 1);
      const [entry] = entries;
      const at = entry?.ms === null || entry?.ms === undefined ? null : new Date(entry.ms).toISOString();
      assert.deepEqual([at, entry?.level, entry?.service], [time, level, service]);
    });
  }

  it("takes no word of a sentence for a service", () => {
    assert.equal(entriesOf("2026-08-20T20:50:06Z ERROR failed to connect to the database")[0]?.service, null);
  });
});

describe("folding", () => {
  it("puts a .NET trace, a Go panic and a wrapped Java trace under one entry each", () => {
    const net = entriesOf(
      "2026-08-20 20:50:06 ERROR boom\nSystem.NullReferenceException: Object reference\n   at A.B.C() in /a.cs:line 3\n--- End of stack trace ---\n2026-08-20 20:50:07 INFO next",
    );
    const wrapped = entriesOf(
      ["java.lang.X: a", "\tat b.C.d(C.java:1)", "Caused by: java.io.Y: b", "plain again"]
        .map((text) => `2026-08-20T20:50:06.1Z stderr F ${text}`)
        .join("\n"),
    );

    assert.deepEqual(
      net.map((entry) => entry.line),
      [1, 5],
    );
    assert.deepEqual(net[0]?.exceptions, ["System.NullReferenceException"]);
    assert.deepEqual([wrapped[0]?.line, wrapped[0]?.exceptions, wrapped[0]?.level], [1, ["java.lang.X", "java.io.Y"], "error"]);
  });

  it("keeps a trace that came inside a JSON line out of the statements", () => {
    const [entry] = entriesOf(
      JSON.stringify({ "@timestamp": "2026-08-20T20:50:02Z", message: "boom", level: "ERROR", stack_trace: "java.lang.X: a\n\tat b.C(d)" }),
    );

    assert.match(entry?.text ?? "", /^2026-08-20T20:50:02\.000Z ERROR boom\njava\.lang\.X/);
    assert.deepEqual(
      [entry?.exceptions, entry?.text.slice(entry.stackStart ?? 0, (entry.stackStart ?? 0) + 11)],
      [["java.lang.X"], "java.lang.X"],
    );
  });
});

describe("names of pods", () => {
  for (const [pod, workload] of [
    ["checkout-7d9f8b6c5-x2x9p", "checkout"],
    ["checkout-api-5c4b9-k2lmp", "checkout-api"],
    ["redis-0", "redis"],
    ["fluent-bit-x7k2p", "fluent-bit"],
    ["order-history-queue", null],
    ["checkout", null],
    ["front-end-proxy", null],
    ["Checkout-7d9f8b6c5-x2x9p", null],
  ] as const) {
    it(`${pod} is ${workload === null ? "no pod" : `one of ${workload}`}`, () => {
      assert.equal(workloadOfPod(pod), workload);
    });
  }
});

describe("masking", () => {
  it("hides what varies and keeps the words, in time linear in the message", () => {
    assert.equal(mask("slow request id=050bbdb1aa2d user=503136 took 8959 ms"), "slow request id=<*> user=<*> took <*> ms");
    assert.equal(mask("connect to 10.0.4.7:5432  failed"), "connect to <*>.<*>.<*>.<*>:<*> failed");
    assert.ok(mask("x".repeat(5_000_000)).length <= 400);
  });
});
