/**
 * `npm start`: the whole service on this machine. Lines on standard output are for programs
 * (`key …`, `mode …`, `ready …`, `link …`); everything else goes to standard error.
 */
import { runCommand } from '../support/arguments.ts'
import { command, optionsOf } from './start/options.ts'
import { stopSignal } from './start/stop-signal.ts'

command.action(async (values) => {
  const options = optionsOf(values)
  // Loaded late, so that a mistyped option is answered before wrangler and miniflare load.
  const { serve } = await import('./start/serve.ts')
  const { folderProblem } = await import('./local/state-folder.ts')
  const service = await serve(options, {
    print: (line) => console.log(line),
    warn: (line) => console.error(line),
  }).catch((error: unknown) => {
    throw folderProblem(options.stateDir, error) ?? error
  })
  await stopSignal()
  await service.disposeAsync()
})
await runCommand(command)
