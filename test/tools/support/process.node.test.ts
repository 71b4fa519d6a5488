import { expect, it } from 'vitest'
import { spawnCommand } from '../../../tools/support/process.ts'

it('counts a killed process as ended, although an orphan of it holds its output', async () => {
  const { child, lines, exited } = spawnCommand('sh', ['-c', 'sleep 20 & echo on; wait'])
  await expect.poll(() => lines).toEqual(['on'])

  const killedAt = Date.now()
  child.kill('SIGKILL')
  await exited
  expect(Date.now() - killedAt).toBeLessThan(10_000)
  process.kill(-child.pid!, 'SIGKILL')
})

it('reads all that a process printed before it counts as ended', async () => {
  const { lines, exited } = spawnCommand('seq', ['100000'])
  expect(await exited).toBe(0)
  expect(lines).toHaveLength(100_000)
})
