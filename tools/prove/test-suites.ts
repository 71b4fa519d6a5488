/**
 * Runs what `npm test` is made of at once, because each part waits a lot: the suites in workerd and
 * in Node, and the checks of the sources. The first prints as it goes, each other when it ends. A
 * skipped test fails the run.
 */
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { resolve } from 'node:path'

/** The tests start some hundred processes of few programs: each program is compiled once. */
const env = { ...process.env, NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') }

function start(program: string, args: readonly string[], output: 'inherit' | 'pipe') {
  const child = spawn(program, args, { env, stdio: ['ignore', output, output] })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(chunk))
  const ended = new Promise<number>((resolve) =>
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(said))
      resolve(code ?? 1)
    }),
  )
  // One thread runs nearly all of the suite in workerd, so it decides when all have ended.
  if (output === 'pipe') setPriority(child.pid!, 10)
  return ended
}

const SUITE = ['run', '--reporter=default', '--reporter=./tools/prove/skipped-tests.ts']

const [workers, node, checks] = await Promise.all([
  start('vitest', [...SUITE, '--project', 'workers'], 'inherit'),
  start('vitest', [...SUITE, '--project', 'node*'], 'pipe'),
  start('npm', ['run', '--silent', 'check'], 'pipe'),
])
if (checks !== 0) console.error('error: npm run check failed: see what it said above')
process.exitCode = Math.max(workers, node, checks)
