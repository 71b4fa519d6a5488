/**
 * Runs both suites of `npm test` at once, in workerd and in Node, because each waits a lot. The
 * first prints as it goes, the second at its end. A skipped test fails the run.
 */
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import { openScratch } from './harness/scratch.ts'
import { skippedTests } from './test-suites/skipped-tests.ts'

const scratch = openScratch()

/** The tests start some hundred processes of few programs: each program is compiled once. */
const env = { ...process.env, NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') }

function start(name: string, args: readonly string[], output: 'inherit' | 'pipe') {
  const results = scratch.file(`${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const child = spawn('vitest', ['run', ...args, ...reporters], {
    env,
    stdio: ['ignore', output, output],
  })
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  return { child, results, ended }
}

const workers = start('workers', [], 'inherit')
const node = start('node', ['--config', 'vitest.node.config.ts'], 'pipe')
// One thread runs nearly all of the first, so it decides when both have ended.
setPriority(node.child.pid!, 10)
const said: Buffer[] = []
for (const stream of [node.child.stdout, node.child.stderr])
  stream!.on('data', (chunk) => said.push(chunk))

const codes = await Promise.all([workers.ended, node.ended])
process.stdout.write(Buffer.concat(said))

const skipped = [workers, node].flatMap(({ results }) => skippedTests(results))
if (skipped.length > 0)
  console.error(`error: npm test skips nothing, but these did not run: ${skipped.join(', ')}`)
scratch[Symbol.dispose]()
process.exit(Math.max(...codes, skipped.length > 0 ? 1 : 0))
