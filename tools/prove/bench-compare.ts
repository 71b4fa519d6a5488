/** `npm run bench:compare`: prints what changed between two `npm run bench -- --json` reports. */
import { Command } from '@commander-js/extra-typings'
import { readFileSync } from 'node:fs'
import { CommandError, runCommand } from '../support/arguments.ts'
import { compareReports, type Report } from './bench/report.ts'

const command = new Command('npm run bench:compare --')
  .description('prints the figures that changed, as Markdown')
  .argument('<BEFORE.json>')
  .argument('<AFTER.json>')
  .action((before, after) => console.log(compareReports(read(before), read(after))))
await runCommand(command)

/** A failed run leaves an empty file, which means that nothing was measured. */
function read(file: string): Report {
  try {
    const { machine = '', results }: Partial<Report> = JSON.parse(
      readFileSync(file, 'utf8') || '{}',
    )
    return { machine, results: results ?? [] }
  } catch (error) {
    throw new CommandError(`${file} is no report of npm run bench: ${(error as Error).message}`)
  }
}
