import type { Instant } from '../../../../shared/argentine-time.ts'
import type { Keyring } from '../../../../shared/crypto/keyring.ts'

export interface Check {
  /** The invariant as a sentence that is true of a sound database. */
  name: string
  run(scope: Scope): Promise<Finding>
}

/** What a check may use. It only reads. */
export interface Scope {
  db: D1Database
  kv: KVNamespace
  now: Instant
  /**
   * The instant by which work should have been done. It is now, or the last cycle of a local
   * service that does not run.
   */
  asOf: Instant
  /** Changes up to here need no deliveries: admission may have been closed. */
  since: Instant
  /** Pages of account ids, as JSON lists. A query about deliveries reads one page. */
  pages: readonly string[]
  /** Null when the key-encryption secrets are not at hand. */
  keyring: Keyring | null
}

/** Examples hold ids, pairs and instants: never a URL, a secret or a body. */
export type Finding = Checked | { kind: 'not checked'; why: string }

export interface Checked {
  kind: 'checked'
  checked: number
  broken: number
  examples: readonly string[]
}

export const EXAMPLES = 5

/** Clocks of different machines differ by less. */
export const CLOCK_SLACK_MS = 60_000

/** What a check found: how many rows it looked at, and the names of the broken ones. */
export function foundBroken(checked: number, broken: readonly string[]): Checked {
  const examples = broken.slice(0, EXAMPLES)
  return { kind: 'checked', checked, broken: broken.length, examples }
}

export function isFalse(finding: Finding): boolean {
  return finding.kind === 'checked' && finding.broken > 0
}
