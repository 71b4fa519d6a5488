import { CommandError } from '../harness/arguments.ts'

/** One command of `npm run admin`. Each group of commands is a file beside this one. */
export interface AdminCommand {
  /** One or two words: `cycle`, `key create`. */
  name: string
  /** What follows the name: `EMAIL NAME`, `FILE…`. Empty when nothing does. */
  usage: string
  /** One sentence for the list of commands. */
  summary: string
  /** Further lines for `--help` of this command. */
  details?: string
  /**
   * Does it. A failure that the operator can understand is an `AdminError`; anything else is a
   * defect.
   */
  run(args: string[], context: AdminContext): Promise<void>
}

export interface AdminContext {
  db: D1Database
  kv: KVNamespace
  now: () => number
  /** A line of the answer, on standard output. */
  print: (line: string) => void
  /** A line about the work (progress, doubts), on standard error. */
  warn: (line: string) => void
  /** Whether `db` and `kv` are those of the deployed service. */
  remote: boolean
  /** The folder of the local state; secrets of the local service are in it. */
  stateDir: string
}

/** Ends the program with this one line and status 1. */
export class AdminError extends CommandError {}
