/** `npm run bench`: what operations cost, against what they may cost. */
import { benches } from './bench/benches.ts'
import { isGood, printResults } from './bench/result.ts'
import { runTasks } from './harness/tasks.ts'

await runTasks({
  name: 'bench',
  tasks: benches,
  options: ['points', 'state'],
  isGood,
  print: printResults,
})
