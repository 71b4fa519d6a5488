import { compare, type Comparison } from './compare.ts'
import type { Counts } from '../harness/counts.ts'
import type { SoakResult } from './run.ts'

const EXAMPLES = 3

/** Prints everything; false when a promise was broken. */
export function report(result: SoakResult, print: (line: string) => void): boolean {
  const { seen, log, findings, audit, memory, statuses, kills, service } = result
  const signatures = log.signatures()
  const promises: Comparison[] = [
    ...compare(seen),
    counted('no POST came without a signature', log.posts.length, signatures.get('missing')),
    counted('every signature is right', log.posts.length, wrongIn(signatures)),
    ...Object.entries(NAMES).map(([kind, name]) => {
      const { times, examples } = findings.get(kind)
      const broken = [...examples, ...Array<string>(times - examples.length).fill('…')]
      return { name, checked: statuses.total, broken }
    }),
  ]

  print('audit:')
  print(audit.text.trimEnd())
  print('')
  for (const { name, checked, broken } of promises) {
    const isKept = broken.length === 0
    const examples = isKept ? '' : `: ${broken.slice(0, EXAMPLES).join(', ')}`
    print(`${isKept ? 'ok   ' : 'FALSE'}  ${name} (${broken.length} of ${checked})${examples}`)
  }
  print('')
  for (const line of summary(result)) print(line)
  print(
    `kills: ${kills}; starts took ${service.startsMs.map((ms) => (ms / 1000).toFixed(1)).join(' ')} s`,
  )
  print(`requests answered: ${statuses}`)
  print(`audits beside the service: ${result.audits}`)
  print(`sources failed: ${result.fixtures.market.faults}`)
  print(`receivers answered: ${log.answers}`)
  print(`signatures: ${signatures}`)
  print(`owners did: ${result.acts}`)
  print(`the service told of: ${result.trouble}`)
  print('')
  print('memory of workerd, MiB, by tenth of the run:')
  for (const { tenth, samples, min, median, max } of memory.rows())
    print(`  ${String(tenth).padStart(2)}  min ${min}  median ${median}  max ${max}  (${samples})`)

  return audit.ok && promises.every(({ broken }) => broken.length === 0)
}

/** What each kind of finding breaks. */
const NAMES: Readonly<Record<string, string>> = {
  '5xx': 'no read or request got a 5xx that is not a declared 503',
  'unexpected status': 'no read got a status that it may not have',
  unanswered: 'everything was answered while the service was up',
  died: 'the service never ended by itself',
  end: 'it could always be killed and started again',
  'audit beside': 'every audit beside the service found everything true',
  'not drained': 'everything ended in the calm',
}

const RIGHT = ['valid', 'missing', 'none, of the system', 'of an unknown secret']

function wrongIn(signatures: Counts): number {
  return signatures.total - RIGHT.reduce((sum, name) => sum + signatures.get(name), 0)
}

function counted(name: string, checked: number, broken: number): Comparison {
  return { name, checked, broken: Array<string>(broken).fill('…') }
}

function summary({ seen: { deliveries, posts, cut } }: SoakResult): string[] {
  const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0)
  const by = (key: 'status' | 'type') =>
    [...Map.groupBy(deliveries, (delivery) => delivery[key])]
      .map(([name, rows]) => `${name} ${rows.length}`)
      .join(', ')

  return [
    `${deliveries.length} deliveries (${by('type')}): ${by('status')}`,
    `${attempts} attempts, ${posts.length} POSTs seen, ${cut.flat().length} attempts cut by kills`,
  ]
}
