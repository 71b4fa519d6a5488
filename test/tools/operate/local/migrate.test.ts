import { expect, it } from 'vitest'
import { statementsOf } from '../../../../tools/operate/local/migrate.ts'
import { env } from '../../../support/env.ts'

const files: Record<string, string> = import.meta.glob('../../../../migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Wrangler leaves the marks in, and the semicolons out. */
const bare = (statement: string) =>
  statement.replace('--> statement-breakpoint', '').trim().replace(/;$/, '')

it('finds the statements of every migration that wrangler finds', () => {
  const paths = Object.keys(files).toSorted()
  expect(paths).toHaveLength(env.TEST_MIGRATIONS.length)
  for (const [index, { queries }] of env.TEST_MIGRATIONS.entries()) {
    const path = paths[index]!
    expect(statementsOf(files[path]!).map(bare), path).toEqual(queries.map(bare))
  }
})
