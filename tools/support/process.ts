import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '../..')

export interface Spawned {
  child: ChildProcess
  lines: string[]
  errors: () => string
  /** Resolves with the exit code when the process has ended and its output is read. */
  exited: Promise<number | null>
}

export function spawnCommand(
  command: string,
  args: readonly string[],
  { env = {} }: { env?: Record<string, string> } = {},
): Spawned {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, as from a shell, so that a test can send Ctrl-C to the whole group.
    detached: true,
  })
  const lines: string[] = []
  const errors: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))

  return { child, lines, errors: () => errors.map((line) => `${line}\n`).join(''), exited }
}

/** Runs an operator's tool (`admin`, `start`) to its end. */
export async function runTool(
  tool: string,
  args: readonly string[],
): Promise<{ code: number | null; stdout: string; output: string }> {
  const { exited, lines, errors } = spawnCommand(process.execPath, [
    `tools/operate/${tool}.ts`,
    ...args,
  ])
  const code = await exited
  const stdout = lines.map((line) => `${line}\n`).join('')
  return { code, stdout, output: stdout + errors() }
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
