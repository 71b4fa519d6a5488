import { PORT } from './options.ts'

/** Whether the service of this container answers: its health check. Ends with 1 when it does not. */
const TIMEOUT_MS = 4000

const response = await fetch(`http://127.0.0.1:${PORT}/api/v2/status`, {
  signal: AbortSignal.timeout(TIMEOUT_MS),
}).catch(() => null)
process.exitCode = response?.ok ? 0 : 1
