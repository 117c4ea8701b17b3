import type { Command } from "./command.ts";
import { COMMON } from "./run.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

interface Option {
  readonly name: string;
  /** Takes a value; with choices, one of these, else a text or a file. */
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

interface Completed {
  readonly name: string;
  readonly about: string;
  /** Words that may follow the command's name. */
  readonly words: readonly string[];
  readonly options: readonly Option[];
}

/** The script for a shell, made from the same commands and usages that `--help` shows. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const completed = commands.map(describe);
  switch (shell) {
    case "bash":
      return bash(completed);
    case "zsh":
      return zsh(completed);
    case "fish":
      return fish(completed);
  }
}

function describe({ name, about, usage, options }: Command): Completed {
  return {
    name,
    about,
    words: wordsOf(usage.slice(name.length)),
    options: Object.entries({ ...options, ...COMMON }).map(([option, { type }]) => ({
      name: option,
      takesValue: type === "string",
      choices: choicesOf(usage, option),
    })),
  };
}

/** "show NAME | export …" and "bash|zsh" name words; "PATH…", "[--k 5]" and a quoted question do not. */
function wordsOf(usage: string): string[] {
  const alternatives = usage.replace(/^\s*\[([a-z].*)\]\s*$/, "$1").split(" | ");
  return alternatives.flatMap((one) => one.trim().split(" ", 1)[0]?.split("|") ?? []).filter((word) => /^[a-z]+$/.test(word));
}

/** "--corpus records|documents|all" in a usage. */
function choicesOf(usage: string, option: string): readonly string[] {
  const at = usage.indexOf(`--${option} `);
  const value = at < 0 ? "" : (usage.slice(at + option.length + 3).split(/[\s\]]/, 1)[0] ?? "");
  const choices = value.split("|");
  return choices.length > 1 && choices.every((one) => /^[a-z0-9-]+$/.test(one)) ? choices : [];
}

const flags = (options: readonly Option[]): string[] => options.map(({ name }) => `--${name}`);

/** A word list in the two shells that have `case`: what may stand at the place of the cursor. */
function cases(commands: readonly Completed[], offer: (words: readonly string[]) => string, files: string): string[] {
  return commands.flatMap(({ name, words, options }) => [
    `    ${name})`,
    '      case "$previous" in',
    ...options
      .filter((option) => option.takesValue)
      .map((option) => `        --${option.name}) ${option.choices.length > 0 ? offer(option.choices) : files}; return ;;`),
    "      esac",
    `      ${offer([...words, ...flags(options)])} ;;`,
  ]);
}

function bash(commands: readonly Completed[]): string {
  const offer = (words: readonly string[]): string => `COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$current"))`;
  return [
    "# contextd completion for bash: source <(contextd completion bash)",
    "_contextd() {",
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
    "  COMPREPLY=()",
    `  if [ "$COMP_CWORD" -eq 1 ]; then ${offer([...commands.map(({ name }) => name), "--help", "--version"])}; return; fi`,
    '  case "${COMP_WORDS[1]}" in',
    ...cases(commands, offer, ":"),
    "  esac",
    "}",
    "# where nothing fits, files are offered",
    "complete -o default -F _contextd contextd",
  ].join("\n");
}

function zsh(commands: readonly Completed[]): string {
  const offer = (words: readonly string[]): string => `compadd -- ${words.join(" ")}`;
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    "#compdef contextd",
    "# contextd completion for zsh: source <(contextd completion zsh), after compinit",
    "_contextd() {",
    '  local previous="${words[CURRENT-1]}"',
    "  local -a commands",
    "  if (( CURRENT == 2 )); then",
    "    commands=(",
    ...commands.map(({ name, about }) => `      ${quoted(`${name}:${about.replaceAll(":", "\\:")}`)}`),
    "    )",
    "    _describe command commands",
    "    return",
    "  fi",
    '  case "${words[2]}" in',
    ...cases(commands, offer, "_files"),
    "  esac",
    "  _files",
    "}",
    "compdef _contextd contextd",
  ].join("\n");
}

function fish(commands: readonly Completed[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = ["# contextd completion for fish: contextd completion fish | source"];
  for (const { name, about, words, options } of commands) {
    lines.push(`complete -c contextd -f -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`);
    const within = `-n '__fish_seen_subcommand_from ${name}'`;
    if (words.length > 0) lines.push(`complete -c contextd -f ${within} -a ${quoted(words.join(" "))}`);
    for (const option of options) {
      const value = option.choices.length > 0 ? ` -x -a ${quoted(option.choices.join(" "))}` : option.takesValue ? " -r" : "";
      lines.push(`complete -c contextd ${within} -l ${option.name}${value}`);
    }
  }
  return lines.join("\n");
}
