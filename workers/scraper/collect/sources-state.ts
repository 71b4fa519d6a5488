import * as z from 'zod/mini'
import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import type { SourceHealth } from '../../../shared/board/board.ts'
import type { SourceResult } from './collect.ts'
import { SOURCES } from '../sources/index.ts'

const sourceRecord = z.object({
  /** The start of the cycle that requested it. */
  lastRequestedAt: z.number(),
  lastSuccessAt: z.nullable(z.number()),
  /** The class of the last failure; null after a success. */
  lastError: z.nullable(z.string()),
  /** Failures in a row. */
  failures: z.number(),
})

type SourceRecord = z.infer<typeof sourceRecord>

/** The record of each source that was ever requested (`scraper_state.sources`, JSON). */
const state = z.record(z.string(), sourceRecord)

export type SourcesState = z.infer<typeof state>

/** The state of a stored text; empty when the text is missing or malformed. */
export function parseSourcesState(text: string | null | undefined): SourcesState {
  try {
    return state.parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

/**
 * The state after a cycle that lasted from `startedAt` to `now`. Intervals count from `startedAt`:
 * a long wait for one source must not make the next cycle skip the others.
 */
export function noteResults(
  state: SourcesState,
  results: readonly SourceResult[],
  now: Instant,
  startedAt = now,
): SourcesState {
  const noted = results.map((result): [string, SourceRecord] => {
    const past = state[result.source]
    const outcome = result.ok
      ? { lastSuccessAt: now, lastError: null, failures: 0 }
      : {
          lastSuccessAt: past?.lastSuccessAt ?? null,
          lastError: result.failure,
          failures: (past?.failures ?? 0) + 1,
        }
    return [result.source, { lastRequestedAt: startedAt, ...outcome }]
  })
  return { ...state, ...Object.fromEntries(noted) }
}

/** The health of every source for the board, in the order of the list. */
export function sourceHealth(state: SourcesState): SourceHealth[] {
  return SOURCES.map(({ name, rhythm }) => {
    const past = state[name]
    return {
      name,
      lastSuccessAt: past?.lastSuccessAt == null ? null : formatArgentine(past.lastSuccessAt),
      lastError: past?.lastError ?? null,
      everyMinutes: rhythm.everyMinutes,
    }
  })
}
