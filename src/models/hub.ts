import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ContextError } from "../core/errors.ts";
import { makeFolder } from "../core/folder.ts";

const needed = ["config.json", "tokenizer.json", "tokenizer_config.json", "onnx/model_quantized.onnx"];
const optional = ["sentence_bert_config.json", "config_sentence_transformers.json", "1_Pooling/config.json"];
const defaultHub = "https://huggingface.co";

export interface HubOptions {
  readonly cacheDir?: string;
  readonly fetch?: typeof fetch;
  readonly hub?: string;
}

/**
 * Brings a model of a hub into the cache folder and returns its folder there. Each file appears under its name only
 * when it is whole; tokenizer.json comes last and marks the folder as complete.
 * @throws ContextError MODEL_MISSING when the hub cannot be reached or has no such model
 */
export async function fetchModel(id: string, options: HubOptions, signal: AbortSignal): Promise<string> {
  const { cacheDir, hub = defaultHub } = options;
  if (cacheDir === undefined) throw unavailable(id, "no folder to keep it in is configured");
  const folder = join(cacheDir, id);
  const get = options.fetch ?? fetch;
  for (const file of [...optional, ...needed.filter((name) => name !== "tokenizer.json"), "tokenizer.json"]) {
    let reply: Response;
    try {
      reply = await get(`${hub.replace(/\/+$/, "")}/${id}/resolve/main/${file}`, { signal });
    } catch (cause) {
      if (signal.aborted) throw new ContextError("CANCELLED", "Stopped on request.", { cause });
      throw unavailable(id, `${hub} cannot be reached`, cause);
    }
    if (reply.status === 404 && optional.includes(file)) continue;
    if (!reply.ok) throw unavailable(id, `${hub} answered ${reply.status} for ${file}`);
    const path = join(folder, file);
    try {
      makeFolder(dirname(path));
    } catch (cause) {
      throw unavailable(id, `it cannot be kept in ${folder}`, cause);
    }
    await writeFile(`${path}.part`, new Uint8Array(await reply.arrayBuffer()));
    await rename(`${path}.part`, path);
  }
  return folder;
}

function unavailable(id: string, why: string, cause?: unknown): ContextError {
  return new ContextError("MODEL_MISSING", `The model ${id} is not on this machine, and ${why}.`, {
    cause,
    remedy: "Put the model's files into a folder and name it in the manifest, or use the bundled model.",
  });
}
