/** Writes a line of the log to standard error with its instant, which JSON holds as `at`. */
export function printLogLine(line: string): void {
  const at = new Date().toISOString()
  console.error(line.startsWith('{"') ? `{"at":"${at}",${line.slice(1)}` : `${at} ${line}`)
}
