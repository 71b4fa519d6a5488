/** Writes a line of the log to standard error with the present instant, as `time` in JSON. */
export function printLogLine(line: string): void {
  const time = new Date().toISOString()
  console.error(line.startsWith('{"') ? `{"time":"${time}",${line.slice(1)}` : `${time} ${line}`)
}
