const LONGEST_LINE = 400;

/** `java.net.ConnectException`, `System.NullReferenceException`, `io.grpc.StatusRuntimeException`. */
const dotted =
  /^(?:Caused by: |Suppressed: |Exception in thread "[^"]{0,100}" |Unhandled exception[.:] )?((?:[A-Za-z_][\w$]*\.){1,12}[A-Z][\w$]*)(?=:|$)/;
/** `TypeError: …`, `[cause]: Error: …`, `Uncaught RangeError [CODE]: …`. */
const named =
  /^(?:Uncaught |\[cause\]: |Caused by: |Exception in thread "[^"]{0,100}" )?([A-Z]\w{0,80}(?:Error|Exception)|Error)(?: \[\w{1,80}\])?(?=:)/;
const panic = /^(?:panic|fatal error): (.{1,200})/;
/** The last line of a Python traceback: a type, and mostly a message, at the line's start. */
const raised = /^((?:[A-Za-z_]\w*\.){0,12}[A-Za-z_]\w*)(?=:|$)/;

/**
 * Types of the exceptions that a folded entry shows, each once, the one that was raised in the end first:
 * a Java trace begins with it, a chained Python traceback ends with it. A Go panic has its message for a type.
 */
export function exceptionTypes(lines: readonly string[]): readonly string[] {
  const found = new Set<string>();
  let python = false;
  let frames = false;
  for (const whole of lines) {
    const line = whole.length > LONGEST_LINE ? whole.slice(0, LONGEST_LINE) : whole;
    if (line.startsWith("Traceback (most recent call last)") || line.startsWith("  + Exception Group Traceback")) {
      [python, frames] = [true, true];
      continue;
    }
    const indented = line.startsWith(" ") || line.startsWith("\t");
    if (frames && python && !indented && line !== "") {
      const type = raised.exec(line)?.[1];
      if (type) found.add(type);
      frames = false;
      continue;
    }
    const text = line.trim();
    const type =
      (indented ? null : panic.exec(text)?.[1]?.replace(/ \[recovered\]$/, "")) ?? dotted.exec(text)?.[1] ?? named.exec(text)?.[1];
    if (type && !python) found.add(type);
  }
  const types = [...found];
  return python ? types.reverse() : types;
}
