/** `npm run bench:compare`: what changed between two reports of `npm run bench -- --json`. */
import { Command } from '@commander-js/extra-typings'
import { readFileSync } from 'node:fs'
import { type BenchReport, compareReports } from './bench/compare.ts'
import { runCommand } from '../support/arguments.ts'

const command = new Command('npm run bench:compare --')
  .description('prints the figures that changed, as Markdown')
  .argument('<BEFORE.json>')
  .argument('<AFTER.json>')
  .action((before, after) => console.log(compareReports(read(before), read(after))))
await runCommand(command)

function read(file: string): BenchReport {
  return JSON.parse(readFileSync(file, 'utf8')) as BenchReport
}
