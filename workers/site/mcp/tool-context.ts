import type { Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import type { Admission } from '../../../shared/access/burst-limit.ts'
import { boardFromDatabase } from '../../../shared/db/quotes/board-fallback.ts'
import { readBoard } from '../../../shared/board/read-board.ts'
import { orThrow } from '../../../shared/or-throw.ts'
import type { McpEnv } from './context.ts'
import { ToolError } from './tool.ts'

/** What the tools of one request work with. */
export interface ToolContext {
  env: Pick<McpEnv, 'BOARD' | 'DB'>
  now: () => Instant
  /** The board, read at most once. */
  readBoard: () => Promise<Board>
  /** Counts a read of a past value against its client's limit. */
  admitDate: () => Admission
}

/** The board as one request sees it, first read when a tool wants it. */
export function onceBoard(context: Pick<ToolContext, 'env' | 'now'>): () => Promise<Board> {
  let board: Promise<Board> | undefined
  return () => (board ??= boardOrError(context))
}

/** The board as the current reads see it: from KV, or from the tables when that cannot be trusted. */
async function boardOrError({ env, now }: Pick<ToolContext, 'env' | 'now'>): Promise<Board> {
  const startedAt = now()
  const { board } = await readBoard(
    env.BOARD,
    () => boardFromDatabase(env.DB, startedAt),
    startedAt,
  )
  if (!board) throw unavailable()
  return board
}

/** The result of the database, or a tool error when it fails; the failure is logged as `event`. */
export function orUnavailable<Value>(answer: Promise<Value>, event: string): Promise<Value> {
  return orThrow(answer, event, unavailable)
}

function unavailable(): ToolError {
  return new ToolError(
    'Las cotizaciones no están disponibles en este momento: probá de nuevo en unos segundos',
  )
}
