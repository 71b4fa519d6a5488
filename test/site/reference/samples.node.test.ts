import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as samples from '../../../workers/site/reference/guides/verify-samples.ts'

it('shows the verification code that the tests of docs/verify-webhook.md run', () => {
  const document = readFileSync('docs/verify-webhook.md', 'utf8')
  const blocks = [...document.matchAll(/^```\w+\n(.*?)\n```$/gms)].map(([, code]) => code)

  expect(blocks.length).toBe(6)
  expect(Object.values(samples).toSorted()).toEqual(blocks.toSorted())
})
