import { ToolError } from './tool.ts'
import type { ToolContext } from './tool-context.ts'

/** Counts a read of the database against its client's limit of date reads. */
export function refuseFlood({ admitDate }: ToolContext): void {
  const admission = admitDate()
  if (admission.allowed) return

  const { retryAfterSeconds } = admission
  throw new ToolError(
    `Demasiadas consultas por fecha: probá de nuevo en ${retryAfterSeconds} segundos`,
  )
}
