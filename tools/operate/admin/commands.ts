import { accountCommands } from './account.ts'
import { auditCommand } from './audit.ts'
import { backfillCommand } from './backfill.ts'
import type { AdminCommand } from './command.ts'
import { command as cycle } from './cycle.ts'
import { command as importV1 } from './import-v1.ts'
import { guardCommand } from './guard.ts'
import { importCommand } from './import.ts'
import { keyCommands } from './key.ts'
import { listPoints, removeCommand, replaceCommand } from './points.ts'
import { quarantineCommands } from './quarantine.ts'
import { command as reseal } from './reseal.ts'

/** Every command, in the order in which `--help` lists them. */
export const commands: readonly AdminCommand[] = [
  ...accountCommands,
  ...keyCommands,
  importV1,
  importCommand,
  backfillCommand,
  listPoints,
  replaceCommand,
  removeCommand,
  ...quarantineCommands,
  guardCommand,
  reseal,
  auditCommand,
  cycle,
]
