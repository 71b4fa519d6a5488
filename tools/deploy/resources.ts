import { DATABASE, NAMESPACE, QUEUES } from './plan.ts'
import { wrangler } from './wrangler.ts'

type Print = (line: string) => void

/** The id of the D1 database, made when it is missing. East of North America: the nearest D1 has. */
export function ensureDatabase(suffix: string, print: Print): string {
  const name = DATABASE + suffix
  const existing = () =>
    (JSON.parse(wrangler(['d1', 'list', '--json'])) as { name: string; uuid: string }[]).find(
      (database) => database.name === name,
    )?.uuid
  return found(`D1 database ${name}`, existing, print, () =>
    wrangler(['d1', 'create', name, '--location', 'enam']),
  )
}

/** The id of the KV namespace, made when it is missing. */
export function ensureNamespace(suffix: string, print: Print): string {
  const title = `${DATABASE}-${NAMESPACE}${suffix}`
  const existing = () =>
    (JSON.parse(wrangler(['kv', 'namespace', 'list'])) as { title: string; id: string }[]).find(
      (namespace) => namespace.title === title,
    )?.id
  return found(`KV namespace ${title}`, existing, print, () =>
    wrangler(['kv', 'namespace', 'create', title]),
  )
}

/** Makes the queues that are missing. */
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

function found(
  what: string,
  existing: () => string | undefined,
  print: Print,
  make: () => void,
): string {
  const before = existing()
  if (before) {
    print(`${what}: exists`)
    return before
  }
  make()
  const made = existing()
  if (!made) throw new Error(`${what} was made but is not listed`)
  print(`${what}: made`)
  return made
}
