// Writes data/sample/documents/architecture.pdf: real text in a standard font, one heading after another, page numbers below.
// No package makes so small a file simpler: a PDF of plain text is a list of objects and their offsets.
// usage: node scripts/make-sample-pdf.mjs
import { writeFileSync } from "node:fs";

const pages = [
  [
    ["h1", "Architecture of the shop"],
    [
      "p",
      "This document describes the services behind the shop, what each of them keeps, and what happens when one of them fails. It is written for engineers who are new to the team and for whoever is on call.",
    ],
    ["h2", "1 Overview"],
    [
      "p",
      "A shopper's browser talks to checkout-api only. checkout-api keeps the session and the cart in redis, and asks payments to charge the order. payments in turn talks to bank-gateway, which is the only service with a line to the bank.",
    ],
    [
      "p",
      "There is no message queue between checkout-api and payments: an order is placed when payments has answered, or when it was put aside to be charged later.",
    ],
    ["h2", "2 checkout-api"],
    [
      "p",
      "checkout-api is a stateless Node service that runs as twelve pods. It serves the cart, the address form and the receipt. A pod takes part in traffic as soon as it can reach redis.",
    ],
    [
      "p",
      "Each pod shares a pool of 40 connections to redis. With twelve pods that makes 480 connections, far below the limit of the server.",
    ],
  ],
  [
    ["h2", "3 redis"],
    [
      "p",
      "redis handles session caching with a 30-minute TTL. Every read of a session extends it, so that a session ends half an hour after the last click. Carts live in the same server under another prefix, with a TTL of seven days.",
    ],
    [
      "p",
      "The server has one primary, redis-0, and one replica, redis-1. It accepts at most 10,000 clients and 2 GB of memory. When memory runs out it evicts the oldest sessions first; carts are never evicted.",
    ],
    [
      "p",
      "Nothing that money depends on is kept in redis alone. If all its data were lost, shoppers would have to log in again and fill their carts once more, but no order and no charge would be lost.",
    ],
    ["h2", "4 payments"],
    [
      "p",
      "payments charges cards and writes the ledger. It answers within 300 milliseconds on a normal day; the bank gateway accounts for nine tenths of that. Its own database is the source of truth for every charge.",
    ],
    ["p", "Each charge carries an idempotency key made by checkout-api. A charge that is sent twice is booked once."],
  ],
  [
    ["h2", "5 bank-gateway"],
    [
      "p",
      "bank-gateway translates between payments and the bank's protocol and holds the certificates. It allows 50 charges a second. On Sundays between 02:00 and 04:00 UTC the bank works on its systems, and answers may take up to nine seconds.",
    ],
    ["h2", "6 What happens when something fails"],
    ["p", "redis is lost: checkout-api cannot serve carts and answers 503 until the replica has taken over."],
    ["p", "payments is lost: orders are kept by checkout-api and charged later, for up to six hours."],
    ["p", "bank-gateway is lost: the same as a loss of payments, seen from the shop."],
    [
      "p",
      "checkout-api is lost: the shop is closed. The static pages of the catalogue stay up, as they are served by the content network.",
    ],
  ],
  [
    ["h2", "7 Limits and figures"],
    [
      "p",
      "On the busiest day so far the shop took 42 orders a second. Load tests are made with 60 orders a second. The error budget is 0.1 percent of the orders of 28 days.",
    ],
    ["h2", "8 Decisions"],
    [
      "p",
      "Sessions are kept in redis and not in the database, since a session is read twenty times for each time it is written. The price is that a failover of redis is visible to shoppers for some seconds.",
    ],
    ["p", "checkout-api and payments are deployed apart, so that a change of the storefront never needs an audit of the payment code."],
  ],
];

const WIDTH = 595;
const HEIGHT = 842;
const MARGIN = 72;
const styles = {
  h1: { font: "F2", size: 20, chars: 44, lead: 26, after: 14 },
  h2: { font: "F2", size: 14, chars: 62, lead: 20, after: 8 },
  p: { font: "F1", size: 11, chars: 84, lead: 15, after: 9 },
};

function wrap(text, width) {
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function literal(text) {
  return `(${text.replace(/[\\()]/g, "\\$&")})`;
}

function contentOf(page, number) {
  const commands = ["BT"];
  let y = HEIGHT - MARGIN;
  const show = (font, size, x, at, text) => commands.push(`/${font} ${size} Tf 1 0 0 1 ${x} ${at} Tm ${literal(text)} Tj`);
  for (const [kind, text] of page) {
    const { font, size, chars, lead, after } = styles[kind];
    for (const line of wrap(text, chars)) {
      show(font, size, MARGIN, y, line);
      y -= lead;
    }
    y -= after;
  }
  show("F1", 9, WIDTH / 2 - 20, 40, `Page ${number} of ${pages.length}`);
  return [...commands, "ET"].join("\n");
}

const objects = [
  "<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
  `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${6 + index * 2} 0 R`).join(" ")}] >>`,
  "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
  "<< /Title (Architecture of the shop) /Producer (contextd sample) >>",
];
for (const [index, page] of pages.entries()) {
  const content = contentOf(page, index + 1);
  objects.push(
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${7 + index * 2} 0 R >>`,
    `<< /Length ${Buffer.byteLength(content, "latin1")} >>\nstream\n${content}\nendstream`,
  );
}

let file = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n";
const offsets = objects.map((object, index) => {
  const at = file.length;
  file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  return at;
});
const xref = file.length;
const entries = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${xref}\n%%EOF\n`;

writeFileSync(new URL("../data/sample/documents/architecture.pdf", import.meta.url), Buffer.from(file, "latin1"));
