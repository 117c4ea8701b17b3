import Papa from "papaparse";
import { assemble } from "../../shared/blocks.ts";
import { decodeText } from "../decode.ts";
import type { Parsed } from "../parsed.ts";
import { rowBlocks } from "./rows.ts";

/** Comma-, semicolon-, tab- or bar-separated values: the delimiter is found by looking, quoted line ends stay in their cell. */
export function parseCsv(bytes: Uint8Array): Parsed {
  const { data } = Papa.parse<string[]>(decodeText(bytes), { skipEmptyLines: "greedy", delimitersToGuess: [",", ";", "\t", "|"] });
  return { ...assemble(rowBlocks(data)), mediaType: "text/csv", title: null, warnings: [] };
}
