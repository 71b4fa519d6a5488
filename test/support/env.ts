import type { D1Migration } from 'cloudflare:test'
import type { StandaloneEnv } from '../../workers/standalone/index.ts'
import { env as untyped } from 'cloudflare:workers'

interface TestBindings {
  TEST_MIGRATIONS: D1Migration[]
  /** Not in the campaign. See database-template.ts. */
  DATABASE_TEMPLATE?: Fetcher
}

/** A binding, or a stand-in with the methods that a test needs: of KV, to read texts. */
type StandIn<Binding> =
  | Binding
  | (Binding extends KVNamespace
      ? { get: (name: string) => Promise<string | null> }
      : Binding extends DurableObjectNamespace
        ? { getByName: (name: string) => Partial<DurableObjectStub> }
        : Partial<Binding>)

/** What a test changes of the bindings and variables of a Worker. */
export type Bindings<Env> = { readonly [Name in keyof Env]?: StandIn<NonNullable<Env[Name]>> }

/** The bindings of the tests with these in their places. A test needs no more of a stand-in. */
export const withBindings = <Env>(bindings: Bindings<Env>) => ({ ...env, ...bindings }) as Env

/** Every binding of every Worker: tests run in the Worker of `npm start`. */
export const env = untyped as StandaloneEnv & TestBindings
