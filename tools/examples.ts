/** `npm run examples`: the examples that are made from the documents. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BRUNO, brunoFiles } from './examples/files.ts'
import { readArguments, runCommand } from './harness/arguments.ts'

const USAGE = `npm run examples

  Writes examples/bruno anew from the OpenAPI documents.`

await runCommand(USAGE, (args) => {
  readArguments(args, {})
  rmSync(BRUNO, { recursive: true, force: true })
  const files = brunoFiles()
  for (const [path, text] of files) {
    const file = join(BRUNO, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  console.log(`${files.size} files in ${BRUNO}`)
})
