/** Writes a log line to standard error with the present time: as `time` in JSON, else in front. */
export function printLogLine(line: string): void {
  const time = new Date().toISOString()
  console.error(line.startsWith('{"') ? `{"time":"${time}",${line.slice(1)}` : `${time} ${line}`)
}

/**
 * Whether a line of the runtime is useful to people. workerd prints a stack of addresses for a
 * failed connection, which the Worker logs too, and for a locked database, which is retried. It
 * also notes that V8's flags disable a cache.
 */
export function isWorthPrinting(message: string): boolean {
  return !/^e = .*\n?|\nstack: |^stack: |^NOSENTRY per-isolate bootstrap compile cache /.test(
    message,
  )
}
