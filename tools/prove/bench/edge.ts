/**
 * Current reads, and reads of a closed day, under raw `workerd serve`, beside Workers that answer constants and a bare Hono route
 * that answers the same bytes. All run in one runtime and take turns, so that a noisy machine
 * disturbs them alike. Needs `wrk` (Debian's package of that name).
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openScratch } from '../../support/scratch.ts'
import { type Bench, type BenchOptions, type Figure, figure, median, rounded } from './bench.ts'
import { bundle } from '../../operate/deploy/wrangler.ts'
import { type CaseResponse, answerTo, CASES, constantWorker } from './edge/cases.ts'
import {
  requestsOfASecond,
  served,
  startWorkerd,
  type Target,
  untilAnswered,
} from './edge/raw-workerd.ts'

const HERE = join(import.meta.dirname, 'edge')
const ROUNDS = 9
const CONNECTIONS = 16

export const edge: Bench = {
  name: 'edge',
  summary:
    'current reads and closed days under raw workerd, beside a constant answer and a bare Hono route',
  method:
    `${ROUNDS} rounds; in each, 1 s of \`wrk -t1 -c16\` for each read of each server, in turn; ` +
    'edge, constants and bare Hono are Workers of one `workerd serve`. Rates are medians, ratios the ' +
    'median of the ratios of each round.',
  run: benchEdge,
}

async function benchEdge({ progress }: BenchOptions): Promise<Figure[]> {
  using scratch = openScratch()
  bundle('edge', scratch.path)
  bundleHono(scratch.path)
  const answers = await answersOfEdge(scratch.path)
  const targets = new Map<string, Target>()

  const edgeServer = await served('edge', 'index.js')
  const hono = await served('hono', 'hono.js')
  const constants = await Promise.all(
    CASES.map(async (_, index) => {
      writeFileSync(join(scratch.path, `constant${index}.js`), constantWorker(answers[index]!))
      return served(`constant${index}`, `constant${index}.js`)
    }),
  )
  for (const [index, { name, path }] of CASES.entries()) {
    const { header } = answers[index]!
    targets.set(`constant answer, ${name}`, { port: constants[index]!.ports[0]!, path, header })
    targets.set(`edge, ${name}`, { port: edgeServer.ports[0]!, path, header })
  }
  const [{ path }] = CASES
  targets.set('bare Hono in workerd', { port: hono.ports[0]!, path, header: null })

  const server = startWorkerd(scratch.path, [edgeServer, hono, ...constants])
  try {
    return figuresOf(await measure(targets, progress))
  } finally {
    server.kill()
  }
}

/** What the edge answers to each case: the constants answer the same. */
async function answersOfEdge(folder: string): Promise<CaseResponse[]> {
  const alone = await served('edge', 'index.js')
  const server = startWorkerd(folder, [alone])
  try {
    await untilAnswered({ port: alone.ports[0]!, path: CASES[0].path })
    return await Promise.all(CASES.map((it) => answerTo(it, alone.ports[0]!)))
  } finally {
    server.kill()
  }
}

/** Requests a second in each round, by the name of what was asked. */
async function measure(
  targets: ReadonlyMap<string, Target>,
  progress: (text: string) => void,
): Promise<Map<string, number[]>> {
  for (const target of targets.values()) await untilAnswered(target)
  const rates = new Map<string, number[]>([...targets.keys()].map((name) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, target] of targets) {
      rates.get(name)!.push(requestsOfASecond(target, CONNECTIONS))
    }
    progress(`round ${round + 1} of ${ROUNDS}`)
  }
  return rates
}

function figuresOf(rates: ReadonlyMap<string, number[]>): Figure[] {
  // The median of the ratios, so that a disturbed round costs one ratio and not a whole server.
  const ratios = (one: string, other: string) =>
    rates.get(one)!.map((value, round) => value / rates.get(other)![round]!)
  const ratio = (one: string, other: string) => rounded(median(ratios(one, other)))
  const [{ name: first }] = CASES

  return [
    ...[...rates].map(([name, perSecond]) =>
      figure(`current reads, ${name}`, Math.round(median(perSecond)), '/s'),
    ),
    ...CASES.flatMap(({ name, atLeast }) => {
      const over = ratios(`edge, ${name}`, `constant answer, ${name}`)
      return [
        figure(`edge over constant answer, ${name}`, rounded(median(over)), '×', { atLeast }),
        figure(`the same, lowest round`, rounded(Math.min(...over)), '×'),
      ]
    }),
    figure('edge over bare Hono in workerd', ratio(`edge, ${first}`, 'bare Hono in workerd'), '×', {
      atLeast: 1.05,
    }),
  ]
}

function bundleHono(folder: string): void {
  const file = join(folder, 'hono.js')
  const options = ['--bundle', '--minify', '--format=esm', `--outfile=${file}`]
  execFileSync('esbuild', [join(HERE, 'hono.js'), ...options], { stdio: 'ignore' })
}
