import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Path below the folder `shared` that lies beside the checkout, or null where there is none.
 * Big data sets for tests live there; the product itself never needs them.
 */
export function sharedPath(...parts: readonly string[]): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const shared = join(folder, "shared");
    if (existsSync(join(shared, "contract.md"))) {
      const path = join(shared, ...parts);
      return existsSync(path) ? path : null;
    }
    if (dirname(folder) === folder) return null;
  }
}
