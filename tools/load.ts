/**
 * `npm run load`: the real local service under load, each kind on a fresh one. Ends with 1 when an
 * answer was wrong or the runtime's memory grew.
 */
import { runTasks } from './harness/tasks.ts'
import { loads } from './load/loads.ts'
import { isGood, printReport } from './load/report.ts'

await runTasks({ name: 'load', tasks: loads, options: ['seconds'], isGood, print: printReport })
