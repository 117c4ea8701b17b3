// npm run bench -- <name>: runs bench/<name>.ts on the bundled Node; without a name it lists them.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const node = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const [name, ...rest] = process.argv.slice(2);
const file = join(root, "bench", `${name}.ts`);

if (name === undefined || !existsSync(file)) {
  const names = readdirSync(join(root, "bench")).filter((one) => one.endsWith(".ts"));
  console.error(`Benches: ${names.map((one) => one.slice(0, -3)).join(", ")}`);
  process.exit(2);
}
process.exit(spawnSync(node, ["--expose-gc", file, ...rest], { cwd: root, stdio: "inherit" }).status ?? 1);
