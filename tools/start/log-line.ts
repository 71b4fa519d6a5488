/**
 * Whether a line of the runtime is for people. workerd tells of every connection that fails with
 * a stack of its own addresses; the Worker's own line on the same event says it better.
 */
export function isWorthPrinting(message: string): boolean {
  return !/^e = .*\n?|\nstack: |^stack: /.test(message)
}

/** Whether a line is one that programs read: a mailed link, `link E-MAIL ADDRESS`. */
export function isForPrograms(message: string): boolean {
  return /^link \S+ \S+$/.test(message)
}
