/** English words that teams also use as names of services: alone in a sentence they need context to be read as one. */
export const commonWords: ReadonlySet<string> = new Set(
  (
    "account accounts ad ads address admin agent agents alert alerts analytics api app apps archive asset assets audit auth backend balance bank basket batch " +
    "billing book booking bookings bridge cache calendar campaign card cards cart carts catalog catalogue category chat check checkout client clients cloud collector comment comments " +
    "config contact content context core cost coupon cron currency customer customers dashboard data database delivery design directory discount dispatch docs document documents " +
    "driver edge editor email emails engine event events exchange export feature feed feedback file files filter finance flag flags fleet form forms forum frontend fulfillment gateway geo " +
    "gift graph guide history home hub identity image images import index ingest insight insights inventory invoice invoices item items job jobs key keys ledger legal library link links list " +
    "loader location log logger login logs loyalty mail mailer map maps market marketplace media meeting member members menu message messages messaging meta metrics mobile " +
    "monitor monitoring network news notes notification notifications offer offers office order orders page pages partner partners pass payment payments payout people permission phone photo photos pick " +
    "pipeline planner platform player policy poll pool portal post posts preferences price prices pricing print product products profile profiles project promo promotion promotions " +
    "proxy push query queue quote quotes rate rates rating ratings reader receipt receipts recommendation recommendations record records redirect referral refund refunds register registry release report " +
    "reporting reports request reservation reserve resource return returns review reviews reward rewards risk role roles room rooms route router routes rule rules runner sales schedule scheduler score " +
    "search security seller sensor server service session sessions settings share shipment shipping shop sign signal sms source stats status stock storage store stores stream " +
    "subscription subscriptions summary supplier support survey sync system table tag tags target task tasks tax team template test text theme ticket tickets time token tokens tool " +
    "tools topic trace track tracker tracking trade traffic transaction transactions transfer translation transport travel trip trips trust upload user users vault vendor video videos view views " +
    "voucher wallet warehouse watch web webhook webhooks widget work worker workers workflow zone"
  ).split(" "),
);

/** Products that run beside one's own services: "redis cluster" and "kafka broker" mean the thing itself. */
export const infrastructure: ReadonlySet<string> = new Set(
  (
    "redis valkey memcached kafka rabbit rabbitmq nats pulsar activemq zookeeper etcd consul vault postgres postgresql mysql mariadb mongo mongodb scylla scylladb cassandra " +
    "clickhouse elasticsearch opensearch solr minio envoy nginx haproxy traefik kong istio prometheus grafana jaeger loki tempo otelcol dynamodb s3 sqs sns " +
    "snowflake bigquery spanner cockroachdb influxdb neo4j airflow temporal keycloak"
  ).split(" "),
);

const products =
  "redis valkey memcached kafka nats pulsar zookeeper etcd consul mysql clickhouse opensearch solr minio envoy nginx haproxy traefik keycloak|rabbitmq rabbit|postgres postgresql|elasticsearch elastic|mongo mongodb|maria mariadb|" +
  "influx influxdb|scylla scylladb|dynamo dynamodb|cockroach cockroachdb|timescale timescaledb|couch couchdb|foundation foundationdb|activemq artemis";

/** The names of a product by each of them: "postgres" and "postgresql" are both postgres and postgresql. */
export const productSpellings: ReadonlyMap<string, readonly string[]> = new Map(
  products.split("|").flatMap((group, index) => {
    const names = group.split(" ");
    // the first group are products with one name each
    return names.map((name) => [name, index === 0 ? [name] : names] as const);
  }),
);

/** A name followed by one of these names another thing: "payment gateway", "catalog db". */
export const otherThing: ReadonlySet<string> = new Set(
  (
    "gateway gateways db database databases cache caches queue queues ui frontend backend worker workers sdk client clients library libraries topic topics schema schemas provider providers " +
    "processor processors method methods page pages form forms button team teams bucket table tables portal console dashboard dashboards flow details address addresses number numbers id ids " +
    "protocol format emulator simulator mock adapter plugin extension module token tokens amount amounts history intent card cards link links template templates cookie cookies"
  ).split(" "),
);

/** Words that say what the name before them is: "checkout service", "redis pods". */
export const serviceTail: ReadonlySet<string> = new Set(
  "service services svc pod pods container containers deployment instance instances replica replicas node nodes cluster broker brokers microservice component daemon api process server host".split(
    " ",
  ),
);

/** Things that look like a ticket key and are none. */
export const notProjects: ReadonlySet<string> = new Set(
  (
    "UTF SHA CVE ISO RFC AES RSA MD HTTP HTTPS TLS SSL TCP UDP IPV IP GPT HSTS ES EC ECMA OAUTH SSE SOC PCI GDPR ASCII UCS BASE CRC XXH SEV P PR ADR GHSA CWE RHEL GCC JDK JSR " +
    "UTC GMT CET EST PST WIN X ARM AMD I M T LF CR H V HTTP2 MP COVID Q FY LLAMA CLAUDE GEMMA QWEN O L2 IEEE IEC EN DIN ANSI"
  ).split(" "),
);

/** Short forms of given names, each with the full ones. */
export const nicknames: Readonly<Record<string, readonly string[]>> = {
  alex: ["alexander", "alexandra", "aleksander", "alejandro"],
  andy: ["andrew", "andreas"],
  ben: ["benjamin", "benedikt"],
  beth: ["elizabeth"],
  bill: ["william"],
  bob: ["robert"],
  cathy: ["catherine"],
  charlie: ["charles", "charlotte"],
  chris: ["christopher", "christian", "christina", "christine"],
  dan: ["daniel", "daniela", "danielle"],
  danny: ["daniel"],
  dave: ["david"],
  dick: ["richard"],
  dom: ["dominic", "dominik"],
  ed: ["edward", "edmund", "eduard"],
  fred: ["frederick", "frederic"],
  greg: ["gregory", "gregor"],
  jack: ["john"],
  jen: ["jennifer"],
  jim: ["james"],
  joe: ["joseph"],
  jon: ["jonathan"],
  josh: ["joshua"],
  kate: ["katherine", "kathryn", "katarina"],
  ken: ["kenneth"],
  liz: ["elizabeth"],
  maggie: ["margaret"],
  matt: ["matthew", "matthias", "matteo"],
  max: ["maximilian", "maxwell"],
  mike: ["michael", "mikael"],
  nate: ["nathan", "nathaniel"],
  nick: ["nicholas", "nicolas", "niklas"],
  pat: ["patrick", "patricia"],
  pete: ["peter"],
  phil: ["philip", "philipp"],
  ray: ["raymond"],
  rich: ["richard"],
  rob: ["robert"],
  ron: ["ronald"],
  sam: ["samuel", "samantha"],
  seb: ["sebastian"],
  steve: ["steven", "stephen", "stefan"],
  sue: ["susan"],
  ted: ["theodore", "edward"],
  theo: ["theodore"],
  tim: ["timothy"],
  tom: ["thomas", "tomas"],
  tony: ["anthony", "antonio"],
  vicky: ["victoria"],
  will: ["william"],
};
