/** Between two plain lines, in milliseconds. */
const PLAIN_EVERY_MS = 5_000
const TERMINAL_EVERY_MS = 100
const WIDTH = 30

/**
 * Shows how far a long piece of work is: one moving line on a terminal, else a line now and then.
 */
export function createProgress(
  title: string,
  {
    output = process.stderr,
    now,
  }: { output?: { isTTY?: boolean; write(text: string): unknown }; now: () => number },
) {
  const every = output.isTTY ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS
  let shownAt = now()

  return {
    /** How much of the whole is done, 0 to 1, and a word on it. */
    show(done: number, text: string): void {
      if (now() - shownAt < every) return
      shownAt = now()

      const percent = `${Math.floor(done * 100)} %`.padStart(5)
      const filled = Math.floor(done * WIDTH)
      const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`
      output.write(
        output.isTTY
          ? `\r\x1b[2K${title} ${bar}${percent} ${text}`
          : `${title}${percent} ${text}\n`,
      )
    },
    end() {
      if (output.isTTY) output.write('\r\x1b[2K')
    },
  }
}
