const EVERY_MS = 5_000

/**
 * Returns a function that reports the progress of long work: a share from 0 to 1, and a text. It
 * prints a line every few seconds at most.
 */
export function createProgress(
  title: string,
  write: (line: string) => void = (line) => console.error(line),
) {
  let shownAt = Date.now()
  return (share: number, text = ''): void => {
    if (Date.now() - shownAt < EVERY_MS) return
    shownAt = Date.now()
    write(`${title} ${Math.floor(share * 100)} % ${text}`.trimEnd())
  }
}
