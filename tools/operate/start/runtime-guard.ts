import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The path of the binary that miniflare would start; the package has no types. */
const workerd = createRequire(import.meta.url)('workerd') as { default: string }

/** Waits until the pipe from the parent breaks, then kills the process whose id is in the file. */
const WATCH = 'while read -r line; do :; done; pid=$(cat "$0") && kill -9 "$pid"'

/**
 * Ends the runtime when this process dies without doing so, as by SIGKILL.
 *
 * workerd does not notice that its parent is gone. So a shell waits at a pipe that closes when this
 * process ends. The runtime starts through a script that writes its process id to the state folder.
 */
export function guardRuntime(stateDir: string) {
  const pidFile = join(stateDir, 'workerd.pid')
  process.env['MINIFLARE_WORKERD_PATH'] = join(import.meta.dirname, 'workerd.sh')
  process.env['LOCAL_WORKERD_PATH'] = workerd.default
  process.env['LOCAL_WORKERD_PID_FILE'] = pidFile
  let watch: ChildProcess | undefined

  return {
    arm() {
      // A process group of its own: Ctrl-C must not end the watch before this process.
      const stdio = ['pipe', 'ignore', 'ignore'] as const
      watch = spawn('sh', ['-c', WATCH, pidFile], { stdio: [...stdio], detached: true })
      watch.unref()
    },
    disarm() {
      rmSync(pidFile, { force: true })
      watch?.kill('SIGKILL')
    },
  }
}
