#!/usr/bin/env node
// Starts contextd on the bundled Node 24, whatever Node is on the path. Plain syntax: an old Node reads this file.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
// Node strips no types below node_modules, so an installed package runs what was built.
const installed = root.split(sep).includes("node_modules");
const main = installed ? join(root, "dist", "main.js") : join(root, "src", "main.ts");

if (Number(process.versions.node.split(".")[0]) >= 24) {
  // stripped and compiled once, not at every start; where the folder cannot be written there is no cache, and no error
  module.enableCompileCache(join(root, "node_modules", ".cache", "contextd"));
  await import(pathToFileURL(main).href);
} else {
  const node = bundledNode();
  if (node === null) {
    console.error("contextd: its packages are not installed yet. Run `npm start` once, or `npm ci`, then this command again.");
    process.exit(2);
  }
  // Node 24 lets young objects take 128 MB before it looks what is left of them; a long run over small files fills all of it
  const child = spawn(node, ["--max-semi-space-size=16", fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`contextd: the bundled Node could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
}

function bundledNode() {
  try {
    const folder = dirname(createRequire(join(root, "package.json")).resolve("node/package.json"));
    const node = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(node) ? node : null;
  } catch {
    return null;
  }
}
