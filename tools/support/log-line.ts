/** Writes a line of the log to standard error with the present instant, as `at` in JSON. */
export function printLogLine(line: string): void {
  const at = new Date().toISOString()
  console.error(line.startsWith('{"') ? `{"at":"${at}",${line.slice(1)}` : `${at} ${line}`)
}
