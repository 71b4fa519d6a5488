import type { AdminCommand } from './command.ts'
import { accountCommands } from './account.ts'
import { command as cycle } from './cycle.ts'
import { command as importV1 } from './import-v1.ts'
import { importCommand } from './import.ts'
import { keyCommands } from './key.ts'
import { quarantineCommands } from './quarantine.ts'

/** Every command, in the order in which `--help` lists them. */
export const commands: readonly AdminCommand[] = [
  ...quarantineCommands,
  cycle,
  ...accountCommands,
  ...keyCommands,
  importV1,
]
