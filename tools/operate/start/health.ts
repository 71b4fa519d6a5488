import { PORT } from './options.ts'

/** The container's health check: ends with 1 when the service is not ready. */
const TIMEOUT_MS = 4000

const response = await fetch(`http://127.0.0.1:${PORT}/api/v2/ready`, {
  signal: AbortSignal.timeout(TIMEOUT_MS),
}).catch(() => null)
process.exitCode = response?.ok ? 0 : 1
