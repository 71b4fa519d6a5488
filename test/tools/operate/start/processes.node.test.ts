import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { isAlive } from '../../../../tools/support/process.ts'
import { until } from '../../../../tools/support/until.ts'
import { type Service, startService } from '../../../../tools/prove/harness/service.ts'
import { temporaryFolder } from '../../../../tools/support/scratch.ts'

const DEMO = ['--demo', '--no-backfill']

/** All tests use one state, each as the test before left it. */
const stateDir = temporaryFolder()
/** When the CER of today, which moves once a day, was first seen. */
let cerAt = ''
afterAll(() => rmSync(stateDir, { recursive: true }))

it('runs once on a state, however many starts come at the same time', async () => {
  const starts = await Promise.allSettled([1, 2, 3].map(() => startService(DEMO, { stateDir })))
  const [service, ...others] = starts.filter((start) => start.status === 'fulfilled')
  const only = service!.value
  expect(others).toEqual([])

  const refusals = starts.flatMap((start) =>
    start.status === 'rejected' ? [(start.reason as Error).message] : [],
  )
  const line = new RegExp(
    `^ended: \nerror: ${stateDir} is in use by (another npm start|the service at \\S+ \\(\\d+\\))\n$`,
  )
  expect(refusals).toEqual([expect.stringMatching(line), expect.stringMatching(line)])
  // The exits of the other starts did not affect the one that runs.
  await only.cycle()
  cerAt = await firstCer(only)

  await only.stop('SIGKILL')
  await untilGone(only.workerdPid)
})

it.each([
  ['the terminal sends Ctrl-C to all', 'SIGINT', -1],
  ['npm, its parent, is asked to end', 'SIGTERM', 1],
  ['npm is killed', 'SIGKILL', 1],
] as const)(
  'starts on the data of a stopped service, and leaves no process when %s',
  async (_, signal, whom) => {
    const service = await startService(DEMO, { stateDir, npm: true })
    expect(await firstCer(service)).toBe(cerAt)
    expect(service.lines.some((line) => line.startsWith('key '))).toBe(false)
    const node = nodeOf(service.workerdPid)
    process.kill(whom * service.child.pid!, signal)

    await untilGone(node)
    await untilGone(service.workerdPid)
  },
)

async function firstCer({ get }: Service): Promise<string> {
  const quotes = (await (await get('/api/v2/quotes')).json()) as Record<string, string>[]
  expect(quotes).toHaveLength(19)
  return quotes.find(({ origin }) => origin === 'CER')!['updatedAt']!
}

/** The parent of the runtime: our process, below npm and its shell. */
function nodeOf(workerdPid: number): number {
  const status = execFileSync('ps', ['-o', 'ppid=', '-p', String(workerdPid)], { encoding: 'utf8' })
  return Number(status)
}

/** Waits until a process has ended by itself. On a busy machine that may take some seconds. */
function untilGone(pid: number): Promise<void> {
  return until(() => !isAlive(pid), { everyMs: 100, atMostMs: 30_000, failure: 'still alive' })
}
