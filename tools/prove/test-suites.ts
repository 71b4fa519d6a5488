/**
 * Runs what `npm test` is made of at once, because each part waits a lot: the suites in workerd and
 * in Node, and the checks of the sources. The first prints as it goes, each other when it ends. A
 * skipped test fails the run.
 */
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import { openScratch } from '../support/scratch.ts'
import { keepFilesInMemory } from './files-in-memory.ts'
import { skippedTests } from './skipped-tests.ts'

keepFilesInMemory()
const scratch = openScratch()

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

function startSuite(name: string, args: readonly string[], output: 'inherit' | 'pipe') {
  const results = scratch.file(`${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  return { results, ended: start('vitest', ['run', ...args, ...reporters], output) }
}

const workers = startSuite('workers', ['--project', 'workers'], 'inherit')
const node = startSuite('node', ['--project', 'node*'], 'pipe')
const checks = start('npm', ['run', '--silent', 'check'], 'pipe')

const codes = await Promise.all([workers.ended, node.ended, checks])
if (codes[2] !== 0) console.error('error: npm run check failed: see what it said above')

const skipped = [workers, node].flatMap(({ results }) => skippedTests(results))
if (skipped.length > 0)
  console.error(`error: npm test skips nothing, but these did not run: ${skipped.join(', ')}`)
scratch[Symbol.dispose]()
process.exit(Math.max(...codes, skipped.length > 0 ? 1 : 0))
