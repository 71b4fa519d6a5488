import type { AdminCommand } from './command.ts'

/** Every command, in the order in which `--help` lists them. */
export const commands: readonly AdminCommand[] = []
