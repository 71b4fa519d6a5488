import { describe, expect, it } from 'vitest'
import { BOARD_KEY, BOARD_MAX_AGE_MS, type Board } from '../../../shared/board/board.ts'
import { readBoard } from '../../../shared/board/read-board.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'

const NOW = art('2026-03-02 12:00')

function boardOf(generatedAt: number): Board {
  return {
    schema: 1,
    generatedAt,
    everySeconds: 300,
    mode: 'live',
    quotes: [],
    sources: [],
    anySourceAnswered: true,
  }
}

const stored = boardOf(NOW)
const young = boardOf(NOW - 1000)
const old = boardOf(NOW - BOARD_MAX_AGE_MS - 1)

describe('reading the board', () => {
  it.each([
    ['a young board', JSON.stringify(young), { board: young, published: young }],
    ['an old board', JSON.stringify(old), { board: stored, published: old }],
    [
      'a board that does not say when the next one comes',
      JSON.stringify({ ...young, everySeconds: undefined }),
      { board: stored, published: null },
    ],
    ['garbage', '{', { board: stored, published: null }],
    ['nothing', null, { board: stored, published: null }],
  ])('with %s in KV', async (_, text, expected) => {
    if (text !== null) await env.BOARD.put(BOARD_KEY, text)

    const read = await readBoard(env.BOARD, async () => stored, NOW)

    expect(read).toEqual(expected)
  })

  it('returns what KV has when the database fails too', async () => {
    await env.BOARD.put(BOARD_KEY, JSON.stringify(old))

    const read = await readBoard(env.BOARD, () => Promise.reject(new Error('down')), NOW)

    expect(read).toEqual({ board: null, published: old })
  })

  it('reads the database when KV does not answer', async () => {
    const down = { get: () => Promise.reject(new Error('down')) } as unknown as KVNamespace

    const read = await readBoard(down, async () => stored, NOW)

    expect(read).toEqual({ board: stored, published: null })
  })
})
