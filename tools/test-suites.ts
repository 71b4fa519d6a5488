/**
 * Both suites of `npm test` at once, in Workers' runtime and in Node: each waits a lot, and together
 * they take three minutes instead of five. The first writes as it goes, the second when it has ended.
 */
import { spawn } from 'node:child_process'

const workers = spawn('vitest', ['run'], { stdio: 'inherit' })
const node = spawn('vitest', ['run', '--config', 'vitest.node.config.ts'], {
  stdio: ['ignore', 'pipe', 'pipe'],
})
const said: Buffer[] = []
for (const stream of [node.stdout, node.stderr]) stream.on('data', (chunk) => said.push(chunk))

const codes = await Promise.all(
  [workers, node].map(
    (suite) => new Promise<number>((resolve) => suite.on('close', (code) => resolve(code ?? 1))),
  ),
)
process.stdout.write(Buffer.concat(said))
process.exit(Math.max(...codes))
