import type { ParseArgsOptionsConfig } from 'node:util'
import { readArguments, readWhole, runCommand, UsageError } from './arguments.ts'
import { describeMachine, loadNow, thisMachine } from './machine.ts'

export interface Task<Result> {
  name: string
  summary: string
  run(options: TaskOptions): Promise<Result>
}

export interface TaskOptions {
  /** `--seconds`: how long a load lasts. */
  seconds: number
  /** `--points`: the size of the larger database. */
  points: number | undefined
  /** `--state`: a folder to build databases in and keep for the next run. */
  state: string | undefined
  /** Writes a line about the work to standard error. */
  progress: (line: string) => void
}

export type Outcome<Item extends Task<unknown>> = Omit<Item, 'run'> & {
  seconds: number
  result: Awaited<ReturnType<Item['run']>> | null
  failure: string | null
}

interface TaskCommand<Item extends Task<unknown>> {
  name: string
  tasks: readonly Item[]
  /** The options that the command takes beside `--only` and `--json`, with their usage. */
  options: readonly (keyof typeof OPTIONS)[]
  isGood: (outcome: Outcome<Item>) => boolean
  print: (outcomes: readonly Outcome<Item>[]) => string
}

const OPTIONS = {
  seconds: { placeholder: 'N', help: 'how long each load lasts (60)' },
  points: { placeholder: 'N', help: 'the size of the larger database' },
  state: { placeholder: 'DIR', help: 'a folder to build databases in and keep' },
} as const

/** Runs the chosen tasks one after the other, and reports them; ends with 1 when one is not good. */
export async function runTasks<Item extends Task<unknown>>(
  command: TaskCommand<Item>,
): Promise<void> {
  // Services run in process groups of their own; this process's `exit` ends them.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

  await runCommand(usageOf(command), async (args) => {
    const { chosen, json, options } = readOptions(command, args)
    const machine = thisMachine()
    const outcomes: Outcome<Item>[] = []
    for (const task of chosen) outcomes.push(await runTask(task, options))

    const judged = outcomes.map((outcome) => ({ ...outcome, good: command.isGood(outcome) }))
    const loadAfter = loadNow()
    if (json) console.log(JSON.stringify({ machine, loadAfter, options, tasks: judged }, null, 2))
    else console.log(`${command.print(outcomes)}\n\n${describeMachine(machine, loadAfter)}`)
    if (!judged.every(({ good }) => good)) process.exitCode = 1
  })
}

function usageOf({
  name,
  tasks,
  options,
}: Pick<TaskCommand<Task<unknown>>, 'name' | 'tasks' | 'options'>): string {
  return [
    `npm run ${name} -- [options]`,
    '',
    '  --only NAMES  one of the following, or several with commas',
    '  --json        prints the report as JSON',
    ...options.map((option) => {
      const { placeholder, help } = OPTIONS[option]
      return `  ${`--${option} ${placeholder}`.padEnd(12)}  ${help}`
    }),
    '',
    ...tasks.map(({ name, summary }) => `  ${name.padEnd(18)}  ${summary}`),
  ].join('\n')
}

function readOptions<Item extends Task<unknown>>(
  { tasks, options }: Pick<TaskCommand<Item>, 'tasks' | 'options'>,
  args: readonly string[],
): { chosen: readonly Item[]; json: boolean; options: TaskOptions } {
  const own: ParseArgsOptionsConfig = Object.fromEntries(
    ['only', ...options].map((name) => [name, { type: 'string' }]),
  )
  const { values } = readArguments(args, { ...own, json: { type: 'boolean' } })
  const { only, seconds = '60', points, state, json } = values as Record<string, string | undefined>
  const names = tasks.map(({ name }) => name)
  const wanted = only?.split(',') ?? names
  if (!wanted.every((name) => names.includes(name)))
    throw new UsageError(`--only takes ${names.join(', ')}`)
  const chosen = tasks.filter(({ name }) => wanted.includes(name))

  return {
    chosen,
    json: Boolean(json),
    options: {
      seconds: readWhole('--seconds', seconds, 1, 86_400),
      points: points === undefined ? undefined : readWhole('--points', points, 1, 1e9),
      state,
      progress: (line) => console.error(`  ${line}`),
    },
  }
}

/** A failure is reported and does not stop the others. */
async function runTask<Item extends Task<unknown>>(
  { run, ...task }: Item,
  options: TaskOptions,
): Promise<Outcome<Item>> {
  console.error(`${task.name}: ${task.summary}`)
  const startedAt = performance.now()
  const ended = (result: unknown, failure: string | null) =>
    ({
      ...task,
      seconds: Math.round(performance.now() - startedAt) / 1000,
      result,
      failure,
    }) as Outcome<Item>
  try {
    return ended(await run(options), null)
  } catch (error) {
    console.error(error)
    return ended(null, (error as Error).message.split('\n')[0]!)
  }
}
