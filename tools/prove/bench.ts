/** `npm run bench`: what operations cost, against what they may cost. */
import { Command } from '@commander-js/extra-typings'
import { bundles } from './bench/bundles.ts'
import { cycle } from './bench/cycle.ts'
import { delivery } from './bench/delivery.ts'
import { edge } from './bench/edge.ts'
import { requests } from './bench/requests.ts'
import { isGood, printResults } from './bench/result.ts'
import { startup } from './bench/startup.ts'
import { whole } from '../support/arguments.ts'
import { runTasks } from './harness/tasks.ts'

const command = new Command('npm run bench --').addOption(
  whole('--points <N>', 'finished deliveries in the larger table', 1, 1e9),
)
const tasks = [edge, bundles, startup, requests, cycle, delivery]
await runTasks({ command, tasks, isGood, print: printResults })
