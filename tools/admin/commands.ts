import type { AdminCommand } from './command.ts'
import { importCommand } from './import.ts'
import { listPoints, removeCommand, replaceCommand } from './points.ts'

/** Every command, in the order in which `--help` lists them. */
export const commands: readonly AdminCommand[] = [
  importCommand,
  listPoints,
  replaceCommand,
  removeCommand,
]
