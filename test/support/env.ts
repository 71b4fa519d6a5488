import type { D1Migration } from 'cloudflare:test'
import type { StandaloneEnv } from '../../workers/standalone/index.ts'
import { env as untyped } from 'cloudflare:workers'

interface TestBindings {
  TEST_MIGRATIONS: D1Migration[]
}

/** A binding, or a stub with the methods that a test needs; for KV, reading texts. */
type StandIn<Binding> =
  | Binding
  | (Binding extends KVNamespace
      ? { get: (name: string) => Promise<string | null> }
      : Binding extends DurableObjectNamespace
        ? { getByName: (name: string) => Partial<DurableObjectStub> }
        : Partial<Binding>)

/** The bindings and variables of a Worker that a test replaces. */
export type Bindings<Env> = { readonly [Name in keyof Env]?: StandIn<NonNullable<Env[Name]>> }

/** The bindings of the tests, with these replacements. */
export const withBindings = <Env>(bindings: Bindings<Env>) => ({ ...env, ...bindings }) as Env

/** Every binding of every Worker: tests run in the Worker of `npm start`. */
export const env = untyped as StandaloneEnv & TestBindings

/** Runs all migrations on the empty database, in one round trip. */
export async function migrate(): Promise<void> {
  const statements = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries)
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)))
}
