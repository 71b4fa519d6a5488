import { expect, it } from 'vitest'
import { statementsOf } from '../../../tools/local/migrate.ts'
import { env } from '../../support/env.ts'

const migrations: Record<string, string> = import.meta.glob('../../../migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Wrangler leaves the marks in, and the semicolons out. */
const bare = (statement: string) =>
  statement.replace('--> statement-breakpoint', '').trim().replace(/;$/, '')

it('finds the statements of every migration that wrangler finds', () => {
  const found = Object.fromEntries(
    Object.entries(migrations).map(([path, text]) => [
      path.split('/').at(-1)!,
      statementsOf(text).map(bare),
    ]),
  )
  const known = Object.fromEntries(
    env.TEST_MIGRATIONS.map(({ name, queries }) => [name, queries.map(bare)]),
  )
  expect(found).toEqual(known)
})
