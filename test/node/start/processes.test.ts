import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { isGoneWithin } from '../../../tools/harness/process.ts'
import { startService } from '../../../tools/harness/service.ts'

it('leaves no runtime behind when it is killed, and can be started again on its data', async () => {
  await using first = await startService(['--demo'])
  await first.stop('SIGKILL')
  expect(await isGoneWithin(first.workerdPid, 5000)).toBe(true)

  await using second = await startService(['--demo'], { stateDir: first.stateDir })
  expect(await (await second.get('/api/v2/quotes')).json()).toHaveLength(19)
})

it.each([
  ['the terminal sends Ctrl-C to all', 'SIGINT', -1],
  ['npm, its parent, is asked to end', 'SIGTERM', 1],
  ['npm is killed', 'SIGKILL', 1],
] as const)('stops whole when %s', async (_, signal, whom) => {
  await using service = await startService(['--demo'], { npm: true })
  const node = nodeOf(service.workerdPid)
  process.kill(whom * service.child.pid!, signal)

  expect(await isGoneWithin(node, 10_000)).toBe(true)
  expect(await isGoneWithin(service.workerdPid, 5000)).toBe(true)
})

/** The parent of the runtime: our process, below npm and its shell. */
function nodeOf(workerdPid: number): number {
  const status = execFileSync('ps', ['-o', 'ppid=', '-p', String(workerdPid)], { encoding: 'utf8' })
  return Number(status)
}
