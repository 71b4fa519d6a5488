/**
 * `npm run load`: the real local service under load, each kind on a fresh one. Ends with 1 when an
 * answer was wrong or the runtime's memory grew.
 */
import { Command } from '@commander-js/extra-typings'
import { whole } from '../support/arguments.ts'
import { runTasks } from './harness/tasks.ts'
import { loads } from './load/reads.ts'
import { isGood, printReport } from './load/report.ts'

const command = new Command('npm run load --').addOption(
  whole('--seconds <N>', 'how long each load lasts', 1, 86_400).default(60),
)
await runTasks({ command, tasks: loads, isGood, print: printReport })
