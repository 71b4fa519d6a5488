import type { AdminCommand } from './command.ts'
import { command as cycle } from './cycle.ts'
import { importCommand } from './import.ts'
import { quarantineCommands } from './quarantine.ts'

/** Every command, in the order in which `--help` lists them. */
export const commands: readonly AdminCommand[] = [...quarantineCommands, cycle, importCommand]
