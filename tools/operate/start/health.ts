import { PORT } from './options.ts'

/** Whether the service of this container is ready: its health check. Ends with 1 when it is not. */
const TIMEOUT_MS = 4000

const response = await fetch(`http://127.0.0.1:${PORT}/api/v2/ready`, {
  signal: AbortSignal.timeout(TIMEOUT_MS),
}).catch(() => null)
process.exitCode = response?.ok ? 0 : 1
