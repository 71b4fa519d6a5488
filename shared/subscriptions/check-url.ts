import { ok, refuse, type RefusedInput, type Result } from '../result.ts'
import { checkDestination } from '../webhooks/destination/destination.ts'

interface Ways {
  ownHosts: readonly string[]
  reachesAddresses: boolean
}

/** The normalised URL to store. */
export function checkUrl(
  { ownHosts, reachesAddresses }: Ways,
  url: string,
): Result<string, RefusedInput> {
  const destination = checkDestination(url, ownHosts)
  if (!destination.ok) return refuse({ reason: destination.refusal.reason })
  if (destination.value.isAddress && !reachesAddresses)
    return refuse({
      reason: 'La URL debe llevar un nombre: desde acá no se llega a direcciones IP',
    })
  return ok(destination.value.url)
}
