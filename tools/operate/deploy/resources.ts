import { DATABASE, namespaceTitle, QUEUES } from './plan.ts'
import { wrangler } from './wrangler.ts'

type Print = (line: string) => void

export interface Resource {
  id: string
  /** Whether it was made just now, and so is empty. */
  isNew: boolean
}

/** East of North America: the nearest that D1 has (it does not run in South America). */
const LOCATION = 'enam'

export function ensureDatabase(suffix: string, print: Print): Resource {
  const name = DATABASE + suffix
  const existing = () =>
    listed('d1', 'list', '--json').find((database) => database['name'] === name)?.['uuid']
  const make = () => wrangler(['d1', 'create', name, '--location', LOCATION])
  return found(`D1 database ${name}`, existing, make, print)
}

export function ensureNamespace(suffix: string, print: Print): Resource {
  const title = namespaceTitle(suffix)
  const existing = () =>
    listed('kv', 'namespace', 'list').find((namespace) => namespace['title'] === title)?.['id']
  const make = () => wrangler(['kv', 'namespace', 'create', title])
  return found(`KV namespace ${title}`, existing, make, print)
}

export function ensureQueues(suffix: string, print: Print): void {
  for (const queue of QUEUES.map((name) => name + suffix)) {
    const listed = wrangler(['queues', 'list'])
    if (new RegExp(`\\b${queue}(?![\\w-])`).test(listed)) print(`queue ${queue}: exists`)
    else {
      wrangler(['queues', 'create', queue])
      print(`queue ${queue}: made`)
    }
  }
}

/** The Worker that consumes a queue, which has one consumer at most. */
export function consumerOf(queue: string): string | undefined {
  return listed('queues', 'consumer', 'list', queue, '--json')
    .map(({ script, service }) => script ?? service)
    .find((name) => name !== undefined)
}

function listed(...command: string[]): Record<string, string>[] {
  return JSON.parse(wrangler(command)) as Record<string, string>[]
}

function found(
  what: string,
  existing: () => string | undefined,
  make: () => void,
  print: Print,
): Resource {
  const before = existing()
  if (before) {
    print(`${what}: exists`)
    return { id: before, isNew: false }
  }
  make()
  const made = existing()
  if (!made) throw new Error(`${what} was made but is not listed`)
  print(`${what}: made`)
  return { id: made, isNew: true }
}
