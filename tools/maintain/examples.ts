/** `npm run examples`: the examples that are made from the documents. */
import { Command } from '@commander-js/extra-typings'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BRUNO, brunoFiles } from './examples/files.ts'
import { runCommand } from '../support/arguments.ts'

const command = new Command('npm run examples').description(
  'writes examples/bruno anew from the OpenAPI documents',
)

command.action(() => {
  rmSync(BRUNO, { recursive: true, force: true })
  const files = brunoFiles()
  for (const [path, text] of files) {
    const file = join(BRUNO, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  console.log(`${files.size} files in ${BRUNO}`)
})
await runCommand(command)
