/**
 * `npm start`: the whole service on this machine. Lines on standard output are for programs
 * (`mode …`, `key …`, `ready …`); everything else goes to standard error.
 */
import { serve, StartError } from './start/serve.ts'
import { readOptions, USAGE, UsageError } from './start/options.ts'
import { stopSignal } from './start/stop-signal.ts'

try {
  await main()
} catch (error) {
  if (error instanceof UsageError) fail(2, `${error.message}\n\n${USAGE}`)
  else if (error instanceof StartError) fail(1, error.message)
  else throw error
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') {
    console.log(USAGE)
    return
  }
  const stopped = stopSignal()
  const service = await serve(options, {
    tell: (line) => console.log(line),
    warn: (line) => console.error(line),
  })
  await stopped
  await service.disposeAsync()
}

function fail(code: number, message: string): void {
  console.error(`error: ${message}`)
  process.exitCode = code
}
