/** What goes where, so that kept connections are used again. */
import { describe, expect, it } from 'vitest'
import { MAX_CONNECTIONS } from '../../../shared/db/deliveries/batch.ts'
import { RestedHosts } from '../../../workers/delivery/consume/rested-hosts.ts'
import {
  openPlaces,
  rowsBehind,
  sameHostFirst,
} from '../../../workers/delivery/consume/same-host.ts'

/** Rows to hosts of one letter, numbered in their order. */
const rowsTo = (hosts: string) => [...hosts].map((host, id) => ({ id, host }))
const told = (rows: readonly { id: number; host: string }[]) =>
  rows.map(({ id, host }) => `${host}${id}`).join(' ')

describe('what follows', () => {
  it.each([
    ['one for each place first, in its own order', 'abcab', 'ba', 'a0 b1 c2 a3 b4'],
    ['and not two for one place', 'aab', 'ab', 'a0 b2 a1'],
    ['two where there are two places', 'caab', 'aa', 'a1 a2 c0 b3'],
    ['what has no place keeps its order', 'cab', 'z', 'c0 a1 b2'],
  ])('is sent: %s', (_, rows, places, expected) => {
    expect(told(sameHostFirst(rowsTo(rows), [...places]))).toBe(expected)
  })

  it.each([
    ['one behind each place', 'abcab', 'ab', 'a0 b1'],
    ['another where the host of a place has none left', 'bcc', 'ab', 'b0 c1'],
    ['none behind a slow host that has some', 'acc', 'a', ''],
    ['nothing slow', 'sss', 'b', ''],
  ])('is claimed ahead: %s', (_, rows, places, expected) => {
    const slow = new Set(['s', ...(expected === '' ? ['a'] : [])])
    const chosen = rowsBehind([...places], rowsTo(rows), ({ host }) => !slow.has(host))
    expect(told(chosen)).toBe(expected)
  })

  it('is missing at the places behind which nothing waits', () => {
    expect(openPlaces([...'aab'], [...'ac'])).toEqual(['a', 'b'])
  })
})

describe('the hosts to which a run may have kept connections', () => {
  it('are those of attempts that ended, as many as it may have open beside those in use', () => {
    const rested = new RestedHosts()
    const hosts = Array.from({ length: MAX_CONNECTIONS }, (_, index) => `h${index}`)
    for (const host of hosts) rested.begin(host)
    for (const host of hosts) rested.end(host)
    expect(rested.hosts).toEqual(hosts)

    rested.begin('h2')
    expect(rested.hosts).toEqual(['h0', 'h1', 'h3', 'h4'])
    rested.begin('other')
    expect(rested.hosts).toEqual(['h1', 'h3', 'h4'])
    rested.end('other')
    expect(rested.hosts).toEqual(['h1', 'h3', 'h4', 'other'])
  })
})
