import { existsSync } from 'node:fs'
import { pathOf, RECORDINGS } from './recordings.ts'

/** Fails the whole run where there is nothing to test against. */
export default function setup(): void {
  const absent = ['data/README.md', 'documents/README.md'].filter(
    (path) => !existsSync(pathOf(path)),
  )
  if (absent.length > 0)
    throw new Error(
      `npm run test:recordings needs the recordings: ${RECORDINGS} lacks ${absent.join(' and ')}`,
    )
}
