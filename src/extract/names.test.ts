import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Declaration } from "../core/fact.ts";
import { foldNames } from "./identity.ts";
import { NameBook } from "./names.ts";
import { namesFor, noHints } from "./testing.ts";

const names = namesFor({
  services: {
    payment: ["Payment Service", "payments"],
    "load-generator": ["loadgenerator"],
    ad: ["ads"],
    email: [],
    "order-api": ["Order API"],
    flagd: [],
    "flagd-ui": [],
    quote: [],
  },
  engineers: {
    "Priya Nair": "pnair",
    "Paul Nair": "paulnair",
    "Zoë O'Hara": "zohara",
    "Łukasz El-Amin": "lelamin",
    "Bo Li": "boli",
    "Daniel Meyer": "dmeyer",
  },
  teams: ["Atlas"],
  projects: ["OPS"],
});

function spoken(text: string): string[] {
  return names
    .scan(text)
    .map((match) => `${text.slice(match.start, match.end)}=${match.nodes.map((node) => node.slice(node.indexOf(":") + 1)).join("|")}`);
}

describe("names of services", () => {
  it("reads a name with full stops where somebody writes it so, and takes no other dotted word for it", () => {
    const dotted = namesFor({ services: { "order-api": ["Order API", "Order.API"], stock: ["Stock.Worker"], mail: [] } });
    const found = (text: string): string[] => dotted.scan(text).map(({ start, end }) => text.slice(start, end));

    assert.deepEqual(dotted.find("Order.API"), ["service:order-api"]);
    assert.deepEqual(dotted.find("mail.send"), []);
    assert.deepEqual(found("Order.API answers 500; [Stock.Worker] waits."), ["Order.API", "Stock.Worker"]);
    assert.deepEqual(found("at Order.API.Program.Main(), mail.send and order.apis"), []);
  });

  it("knows one service by case, separators, camel case and the word service", () => {
    for (const name of ["order-api", "Order-API", "order api", "OrderApi", "order_api", "order-api service"])
      assert.deepEqual(names.find(name, "service"), ["service:order-api"], name);
    for (const name of ["paymentservice", "payment-service", "Payment Service", "payments"])
      assert.deepEqual(names.find(name, "service"), ["service:payment"], name);
  });

  it("finds the workload behind a pod's name", () => {
    assert.deepEqual(names.find("payment-7d9f8b6c5-x2x9p", "service"), ["service:payment"]);
    assert.deepEqual(spoken("flagd-0 restarted on payment-5c4b9-k2lmp"), ["flagd-0=flagd", "payment-5c4b9-k2lmp=payment"]);
  });

  it("takes no look-alike for a service", () => {
    for (const name of ["payment-gateway", "Payment Gateway", "address", "payment.session", "src/payment/x.go", "quotes", "order"])
      assert.deepEqual(names.find(name, "service"), [], name);
    assert.deepEqual(spoken("the payment gateway, payment-db, payment.session, src/payment/main.go, my-payment and PAYMENT_ADDR"), []);
  });

  it("prefers the longest spelling", () => {
    assert.deepEqual(spoken("flagd-ui reads flagd"), ["flagd-ui=flagd-ui", "flagd=flagd"]);
  });

  it("reads everyday words as names only where they stand as one", () => {
    assert.deepEqual(spoken("Please send an email with a quote. Email me, and quote this."), []);
    assert.deepEqual(spoken("the email service and `quote` fail"), ["email service=email", "quote=quote"]);
  });

  it("keeps two services apart whose names differ in one list", () => {
    const listed: Declaration[] = ["user", "user-service"].map((name) => ({
      node: `service:${name}`,
      name,
      rule: "compose.name",
      score: 0.9,
      span: { record: "github:file:a/b/compose.yaml", start: 0, end: 1 },
    }));

    const data = foldNames(listed, noHints);

    assert.deepEqual(
      data.entries.map((entry) => entry.node),
      ["service:user", "service:user-service"],
    );
  });

  it("merges a weaker source's name into the service that states it as an alias, and undoes that by one line", () => {
    const declarations: Declaration[] = [
      { node: "service:valkey-cart", name: "valkey-cart", rule: "catalogue.name", score: 0.95, span: null },
      { node: "service:valkey-cart", name: "redis", rule: "catalogue.alias", score: 0.92, span: null },
      {
        node: "service:redis",
        name: "redis",
        rule: "codeowners.folder",
        score: 0.85,
        span: { record: "github:file:a/b/CODEOWNERS", start: 0, end: 1 },
      },
    ];
    const merged = new NameBook(foldNames(declarations, noHints));
    const undone = new NameBook(foldNames(declarations, { ...noHints, undo: ["service:redis = service:valkey-cart"] }));

    assert.deepEqual(merged.find("redis", "service"), ["service:valkey-cart"]);
    assert.deepEqual(
      merged.merges().map((merge) => [merge.id, merge.records]),
      [["service:redis = service:valkey-cart", ["github:file:a/b/CODEOWNERS"]]],
    );
    assert.deepEqual(undone.find("redis", "service"), ["service:redis"]);
    assert.deepEqual(undone.merges(), []);
  });

  it("lets the manifest win over what records say", () => {
    const declarations: Declaration[] = [{ node: "service:cache", name: "cache", rule: "catalogue.name", score: 0.95, span: null }];

    const book = new NameBook(foldNames(declarations, { aliases: { redis: ["cache"] }, sourcePaths: { redis: ["infra/cache/"] } }));

    assert.deepEqual(book.find("cache", "service"), ["service:redis"]);
    assert.equal(book.serviceOfPath("infra/cache/conf/redis.conf"), "service:redis");
  });

  it("gives the longest path prefix", () => {
    const book = namesFor({ hints: { aliases: {}, sourcePaths: { shop: ["src/"], cart: ["src/cart/", "deploy/cart.yaml"] } } });

    assert.equal(book.serviceOfPath("src/cart/main.go"), "service:cart");
    assert.equal(book.serviceOfPath("src/cartoon/main.go"), "service:shop");
    assert.equal(book.serviceOfPath("deploy/cart.yaml"), "service:cart");
    assert.equal(book.serviceOfPath("docs/cart.md"), null);
  });
});

describe("names of engineers", () => {
  it("knows one person by name, login, address, mention, order of names and spelling without accents", () => {
    for (const name of ["Zoë O'Hara", "Zoe O’Hara", "zohara", "@zohara", "O'Hara Zoe", "Zoë"])
      assert.deepEqual(names.find(name, "engineer"), ["engineer:zoe-ohara"], name);
    assert.deepEqual(names.find("Lukasz El-Amin", "engineer"), names.find("Łukasz El-Amin", "engineer"));
    assert.deepEqual(names.find("Dan Meyer", "engineer"), ["engineer:daniel-meyer"]);
  });

  it("keeps two people apart who share initial and surname, though a login may look like both", () => {
    assert.deepEqual(names.find("P. Nair", "engineer"), ["engineer:paul-nair", "engineer:priya-nair"]);
    assert.deepEqual(names.find("Nair", "engineer"), ["engineer:paul-nair", "engineer:priya-nair"]);
    assert.deepEqual(names.find("@pnair", "engineer"), ["engineer:priya-nair"]);
    assert.ok(names.ambiguities().some((one) => one.name === "p nair"));
  });

  it("finds people in sentences", () => {
    assert.deepEqual(spoken("Bo Li and @pnair asked P. Nair; Zoë's change by Daniel."), [
      "Bo Li=bo-li",
      "@pnair=priya-nair",
      "P. Nair=paul-nair|priya-nair",
      "Zoë's=zoe-ohara",
      "Daniel=daniel-meyer",
    ]);
  });

  it("joins accounts by login and address, never by alikeness", () => {
    const span = null;
    const data = foldNames(
      [
        { node: "engineer:ann-lee", name: "Ann Lee", rule: "person.name", score: 0.9, span },
        { node: "engineer:ann-lee", name: "ann@x.example", rule: "person.email", score: 0.95, span },
        { node: "engineer:alee", name: "ann@x.example", rule: "person.email", score: 0.95, span },
        { node: "engineer:alee", name: "alee", rule: "person.login", score: 0.95, span },
        { node: "engineer:anna-lee", name: "Anna Lee", rule: "person.name", score: 0.9, span },
      ],
      noHints,
    );

    assert.deepEqual(
      data.entries.map((entry) => entry.node),
      ["engineer:ann-lee", "engineer:anna-lee"],
    );
    assert.equal(data.handles["@alee"], "engineer:ann-lee");
  });
});

describe("names of teams and tickets", () => {
  it("needs the word team beside a team's name in a sentence", () => {
    assert.deepEqual(spoken("Ask the Atlas team or team atlas about the atlas."), ["Atlas team=atlas", "team atlas=atlas"]);
  });

  it("knows tickets by the projects that exist", () => {
    assert.equal(names.ticket("ops-12"), "ticket:OPS-12");
    for (const key of ["UTF-8", "SHA-256", "CVE-2026", "XYZ-1"]) assert.equal(names.ticket(key), null, key);
  });

  it("follows a ticket to its new project", () => {
    const book = new NameBook(
      foldNames(
        [
          { node: "ticket:PLAT-7", name: "PLAT-7", rule: "ticket.key", score: 1, span: null },
          { node: "ticket:PLAT-7", name: "OPS-12", rule: "ticket.moved", score: 1, span: null },
        ],
        noHints,
      ),
    );

    assert.equal(book.ticket("OPS-12"), "ticket:PLAT-7");
  });
});

describe("the dictionary", () => {
  it("does not depend on the order of declarations, and survives being stored", () => {
    const words = fc.constantFrom("cart", "cart service", "Cart-Service", "payments", "payment", "redis", "Ann Lee", "Lee Ann");
    const declaration = fc
      .record({
        word: words,
        target: words,
        rule: fc.constantFrom("catalogue.name", "catalogue.alias", "jira.component", "person.name", "person.login"),
        record: fc.constantFrom("a:1", "b:2", "c:3"),
      })
      .map(({ word, target, rule, record }): Declaration => {
        const kind = rule.startsWith("person") ? "engineer" : "service";
        const owner = rule === "catalogue.alias" || rule === "person.login" ? target : word;
        const score = rule === "catalogue.name" ? 0.95 : rule === "jira.component" ? 0.8 : 0.92;
        return {
          node: `${kind}:${owner.toLowerCase().replaceAll(" ", "-")}`,
          name: word,
          rule,
          score,
          span: { record: record as `${string}:${string}`, start: 0, end: 1 },
        };
      });

    fc.assert(
      fc.property(fc.array(declaration, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (list, random) => {
        const shuffled = list.map((one) => ({ one, key: random.next().value ?? 0 })).sort((a, b) => a.key - b.key);
        const first = new NameBook(foldNames(list, noHints));
        const second = new NameBook(
          foldNames(
            shuffled.map(({ one }) => one),
            noHints,
          ),
        );

        assert.equal(first.hash, second.hash);
        assert.equal(new NameBook(JSON.parse(JSON.stringify(first))).hash, first.hash);
      }),
    );
  });
});
