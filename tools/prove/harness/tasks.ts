import type { Command, OptionValues } from '@commander-js/extra-typings'
import { runCommand, UsageError } from '../../support/arguments.ts'
import { cpus, loadavg, totalmem } from 'node:os'
import { createRequire } from 'node:module'

export interface Task<Result, Options> {
  name: string
  summary: string
  run(options: Options & Told): Promise<Result>
}

export interface Told {
  /** Writes a line about the work to standard error. */
  progress: (line: string) => void
}

export type Outcome<Item extends Task<unknown, never>> = Omit<Item, 'run'> & {
  seconds: number
  result: Awaited<ReturnType<Item['run']>> | null
  failure: string | null
}

interface TaskCommand<Options extends OptionValues, Item extends Task<unknown, Options>> {
  /** Its name and own options. */
  command: Command<[], Options>
  tasks: readonly Item[]
  isGood: (outcome: Outcome<Item>) => boolean
  print: (outcomes: readonly Outcome<Item>[]) => string
}

/** Runs the chosen tasks one after the other, and reports them; ends with 1 when one is not good. */
export async function runTasks<Options extends OptionValues, Item extends Task<unknown, Options>>({
  command,
  tasks,
  isGood,
  print,
}: TaskCommand<Options, Item>): Promise<void> {
  // Services run in process groups of their own; this process's `exit` ends them.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

  const names = tasks.map(({ name }) => name)
  command
    .option('--only <NAMES>', 'one of the following, or several with commas')
    .option('--json', 'prints the report as JSON')
    .addHelpText(
      'after',
      `\n${tasks.map((task) => `  ${task.name.padEnd(18)}  ${task.summary}`).join('\n')}`,
    )
  command.action(async (given) => {
    const { only, json, ...values } = given as Options & Common
    const wanted = only?.split(',') ?? names
    if (!wanted.every((name) => names.includes(name)))
      throw new UsageError(`--only takes ${names.join(', ')}`)
    const options = { ...values, progress: (line) => console.error(`  ${line}`) } as Options & Told
    const machine = thisMachine()
    const outcomes: Outcome<Item>[] = []
    for (const task of tasks.filter(({ name }) => wanted.includes(name)))
      outcomes.push(await runTask(task, options))

    const judged = outcomes.map((outcome) => ({ ...outcome, good: isGood(outcome) }))
    const loadAfter = loadNow()
    if (json) console.log(JSON.stringify({ machine, loadAfter, options, tasks: judged }, null, 2))
    else console.log(`${print(outcomes)}\n\n${describeMachine(machine, loadAfter)}`)
    if (!judged.every(({ good }) => good)) process.exitCode = 1
  })
  await runCommand(command)
}

interface Common {
  only?: string
  json?: true
}

/** A failure is reported and does not stop the others. */
async function runTask<Options, Item extends Task<unknown, Options>>(
  { run, ...task }: Item,
  options: Options & Told,
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

function thisMachine() {
  const { version } = createRequire(import.meta.url)('workerd/package.json') as { version: string }
  return {
    date: new Date().toISOString(),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    workerd: version,
    /** The load average of a minute when the run began. */
    load: loadNow(),
  }
}

/** Programs that ran or waited to run in the last minute, on average. */
function loadNow(): number {
  return Math.round(loadavg()[0]! * 10) / 10
}

/** `loadAfter` has the work of the run itself in it; what was before it was other work. */
export function describeMachine(
  machine: ReturnType<typeof thisMachine>,
  loadAfter: number,
): string {
  const { date, processor, cores, memoryGiB, system, node, workerd, load } = machine
  const what = `${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}, workerd ${workerd}`
  const busy = load > cores / 2 ? ': the machine was busy, so times and rates say little' : ''
  return `${date}: ${what}\nload average ${load} before, ${loadAfter} after${busy}`
}
