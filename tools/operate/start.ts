/**
 * `npm start`: the whole service on this machine. Lines on standard output are for programs
 * (`key …`, `mode …`, `ready …`, `link …`); everything else goes to standard error.
 */
import { runCommand } from '../support/arguments.ts'
import { printLogLine } from '../support/log-line.ts'
import { command, optionsOf } from './start/options.ts'

/** How often the start checks that npm, its parent, still runs. */
const PARENT_POLL_MS = 1000

/** Read at once, because npm may die during the start. */
const PARENT = process.ppid

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

command.action(async (values) => {
  const options = optionsOf(values)
  // Loaded late, so that a mistyped option is answered before wrangler and miniflare load.
  const { serve } = await import('./start/serve.ts')
  const { folderProblem } = await import('./local/storage.ts')
  const service = await serve(options, {
    print: (line) => console.log(line),
    warn: printLogLine,
  }).catch((error: unknown) => {
    throw folderProblem(options.stateDir, error) ?? error
  })
  await stopSignal()
  await service.disposeAsync()
})
await runCommand(command)

/** Resolves when the service is to stop: Ctrl-C, SIGTERM, or npm dead without passing them on. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) {
      const stop = () => resolve()
      process.on(signal, stop)
      // Miniflare's own listeners would end the process before the service has stopped. Ours is
      // added first, because a signal that finds no listener ends the process.
      for (const other of process.listeners(signal)) {
        if (other !== stop) process.off(signal, other)
      }
    }

    if (process.env['npm_lifecycle_event'] !== 'start') return
    setInterval(() => {
      if (process.ppid !== PARENT) resolve()
    }, PARENT_POLL_MS).unref()
  })
}
