import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { isGoneWithin, startService } from '../support/service.ts'

it('leaves no runtime behind when it is killed without a chance to stop', async () => {
  await using service = await startService(['--demo'])
  await service.stop('SIGKILL')
  expect(await isGoneWithin(service.workerdPid, 5000)).toBe(true)
})

it('can be started again after that, and finds its data', async () => {
  await using first = await startService(['--demo'])
  await first.stop('SIGKILL')
  await isGoneWithin(first.workerdPid, 5000)

  await using second = await startService(['--demo'], { stateDir: first.stateDir })
  expect(await (await second.get('/api/v2/quotes')).json()).toHaveLength(19)
})

it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  'stops whole when npm, its parent, gets %s',
  async (signal) => {
    await using service = await startService(['--demo'], { npm: true })
    const node = nodeOf(service.workerdPid)
    await service.stop(signal)

    expect(await isGoneWithin(node, 10_000)).toBe(true)
    expect(await isGoneWithin(service.workerdPid, 5000)).toBe(true)
  },
)

/** The parent of the runtime: our process, below npm and its shell. */
function nodeOf(workerdPid: number): number {
  const status = execFileSync('ps', ['-o', 'ppid=', '-p', String(workerdPid)], { encoding: 'utf8' })
  return Number(status)
}
