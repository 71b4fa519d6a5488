/**
 * `npm start`: the whole service on this machine. Lines on standard output are for programs
 * (`mode …`, `key …`, `ready …`); everything else goes to standard error.
 */
import { readOptions, USAGE, UsageError } from './start/options.ts'
import { StartError } from './start/start-error.ts'
import { stopSignal } from './start/stop-signal.ts'

try {
  await main()
} catch (error) {
  if (error instanceof UsageError) fail(2, `${error.message}\nsee npm start -- --help`)
  else if (error instanceof StartError) fail(1, error.message)
  else throw error
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') {
    console.log(USAGE)
    return
  }
  // Loaded late: a mistyped option is answered at once, not after wrangler and miniflare.
  const { serve } = await import('./start/serve.ts')
  const { folderProblem } = await import('./start/claim-folder.ts')
  const service = await serve(options, {
    tell: (line) => console.log(line),
    warn: (line) => console.error(line),
  }).catch((error: unknown) => {
    throw folderProblem(options.stateDir, error) ?? error
  })
  await stopSignal()
  await service.disposeAsync()
}

function fail(code: number, message: string): void {
  console.error(`error: ${message}`)
  process.exitCode = code
}
