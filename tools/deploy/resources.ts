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
    (JSON.parse(wrangler(['d1', 'list', '--json'])) as { name: string; uuid: string }[]).find(
      (database) => database.name === name,
    )?.uuid
  return found(`D1 database ${name}`, existing, print, () =>
    wrangler(['d1', 'create', name, '--location', LOCATION]),
  )
}

export function ensureNamespace(suffix: string, print: Print): Resource {
  const title = namespaceTitle(suffix)
  const existing = () =>
    (JSON.parse(wrangler(['kv', 'namespace', 'list'])) as { title: string; id: string }[]).find(
      (namespace) => namespace.title === title,
    )?.id
  return found(`KV namespace ${title}`, existing, print, () =>
    wrangler(['kv', 'namespace', 'create', title]),
  )
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
  const listed = JSON.parse(wrangler(['queues', 'consumer', 'list', queue, '--json'])) as {
    script?: string
    service?: string
  }[]
  return listed.map(({ script, service }) => script ?? service).find((name) => name !== undefined)
}

function found(
  what: string,
  existing: () => string | undefined,
  print: Print,
  make: () => void,
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
