import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const CITING = [
  '{workers,shared,tools,test,docs,migrations}/**/*.{ts,tsx,js,mjs,sql,toml,md}',
  '{README.md,CONTRIBUTING.md,wrangler.toml}',
]

/** `decision 15`, `decisions 22, 24 and 43`, also where a comment continues in its next line. */
const CITED = /\bdecisions? (\d+(?:(?:, | and |, and | to )\d+)*)/gi

const read = (file: string) => readFileSync(file, 'utf8')

function citedIn(text: string): number[] {
  const flowing = text.replaceAll(/\n[ \t]*(?:\*|\/\/|--|#)?[ \t]*/g, ' ')
  return [...flowing.matchAll(CITED)].flatMap(([, list]) => list!.match(/\d+/g)!.map(Number))
}

const decisions = [...read('docs/decisions.md').matchAll(/^(\d+)\. /gm)].map(([, n]) => Number(n))

it('numbers its decisions from 1, each once', () => {
  expect(decisions).toEqual(decisions.map((_, index) => index + 1))
  expect(decisions.length).toBeGreaterThanOrEqual(63)
})

it('has every decision that code, tests and pages cite', () => {
  const cited = globSync(CITING).flatMap((file) =>
    citedIn(read(file)).map((number) => ({ file, number })),
  )
  expect(cited.length).toBeGreaterThan(80)
  expect(cited.filter(({ number }) => !decisions.includes(number))).toEqual([])
})
