/**
 * `npm test`: runs the suites in workerd and in Node and `npm run check` in parallel, because each
 * often waits. The suite in workerd prints while it runs, the others when they end.
 */
import { Command } from '@commander-js/extra-typings'
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import { runCommand } from '../support/arguments.ts'

/** The tests start a few programs a hundred times. With this cache, Node compiles each once. */
const env = { ...process.env, NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') }

function start(program: string, args: readonly string[], output: 'inherit' | 'pipe') {
  const child = spawn(program, args, { env, stdio: ['ignore', output, output] })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => printed.push(chunk))
  const ended = new Promise<number>((resolve) =>
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(printed))
      resolve(code ?? 1)
    }),
  )
  // Lowers the priority of the others, because the suite in workerd takes longest, in one thread.
  if (output === 'pipe') setPriority(child.pid!, 10)
  return ended
}

const command = new Command('npm test --')
  .description('runs the suites in workerd and in Node, and npm run check')
  .action(async () => {
    const [workers, node, checks] = await Promise.all([
      start('vitest', ['run', '--project', 'workers'], 'inherit'),
      start('vitest', ['run', '--project', 'node*'], 'pipe'),
      start('npm', ['run', '--silent', 'check'], 'pipe'),
    ])
    if (checks !== 0) console.error('error: npm run check failed: see above')
    process.exitCode = Math.max(workers, node, checks)
  })
await runCommand(command)
