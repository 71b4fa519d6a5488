const EVERY_MS = 5_000

/** Says every few seconds how much of a long piece of work is done: a share of 0 to 1, and of what. */
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
