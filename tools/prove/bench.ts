/** `npm run bench`: what operations cost, against what they may cost. */
import { Command } from '@commander-js/extra-typings'
import { benches } from './bench/benches.ts'
import { isGood, printResults } from './bench/result.ts'
import { whole } from '../support/arguments.ts'
import { runTasks } from './harness/tasks.ts'

const command = new Command('npm run bench --').addOption(
  whole('--points <N>', 'the size of the larger database', 1, 1e9),
)
await runTasks({ command, tasks: benches, isGood, print: printResults })
