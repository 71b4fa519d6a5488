import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PLACES = ['workers', 'shared', 'tools', 'test', 'docs', 'migrations']
const FILES = ['README.md', 'CONTRIBUTING.md', 'wrangler.toml']
const KINDS = new Set(['.ts', '.tsx', '.js', '.mjs', '.sql', '.toml', '.md'])

/** `decision 15`, `decisions 22, 24 and 43`, also where a comment continues in its next line. */
const CITED = /\bdecisions? (\d+(?:(?:, | and |, and | to )\d+)*)/gi

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

function citedIn(text: string): number[] {
  const flowing = text.replaceAll(/\n[ \t]*(?:\*|\/\/|--|#)?[ \t]*/g, ' ')
  return [...flowing.matchAll(CITED)].flatMap(([, list]) => list!.match(/\d+/g)!.map(Number))
}

const decisions = [...read('docs/decisions.md').matchAll(/^(\d+)\. /gm)].map(([, n]) => Number(n))

it('numbers its decisions from 1, each once', () => {
  expect(decisions).toEqual(decisions.map((_, index) => index + 1))
  expect(decisions.length).toBeGreaterThanOrEqual(63)
})

it('reads a list of numbers that goes on in the next line of a comment', () => {
  const [one, more] = ['decision', 'decisions']
  expect(citedIn(`/** It is so (${one} 7). ${more} 8, 9\n * and 10. */`)).toEqual([7, 8, 9, 10])
})

it('has every decision that code, tests and pages cite', () => {
  const files = PLACES.flatMap((place) =>
    readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' })
      .filter((file) => KINDS.has(extname(file)))
      .map((file) => join(place, file)),
  )
  const cited = [...files, ...FILES].flatMap((file) =>
    citedIn(read(file)).map((number) => ({ file, number })),
  )
  expect(cited.length).toBeGreaterThan(80)
  expect(cited.filter(({ number }) => !decisions.includes(number))).toEqual([])
})
