import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostsInTurn } from '../../../shared/webhooks/hosts-in-turn.ts'

const orderOf = (hosts: string, atOnce: number) =>
  hostsInTurn(
    [...hosts].map((host, id) => ({ id, host })),
    atOnce,
  )

describe('the order in which rows are enqueued', () => {
  it.each([
    ['one host: as they are', 'aaaaa', 'aaaaa'],
    ['two hosts: two rows of each by turns', 'abababab', 'aabbaabb'],
    ['a host with one row does not wait for one with many', 'aaaaaab', 'aabaaaa'],
    ['none', '', ''],
  ])('%s', (_, hosts, expected) => {
    const ordered = orderOf(hosts, 2).map(({ host }) => host)
    expect(ordered.join('')).toBe(expected)
  })

  it('keeps every row once, and each host’s rows in their order', () => {
    const hosts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 60 })
    fc.assert(
      fc.property(hosts, fc.integer({ min: 1, max: 9 }), (text, atOnce) => {
        const ordered = orderOf(text, atOnce)
        for (const [host, rows] of Map.groupBy(ordered, (row) => row.host))
          expect(rows.map(({ id }) => id)).toEqual(
            [...text].flatMap((each, id) => (each === host ? [id] : [])),
          )
        expect(ordered).toHaveLength(text.length)
      }),
    )
  })
})
