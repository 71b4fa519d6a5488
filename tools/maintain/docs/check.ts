import { globSync } from 'node:fs'
import { brokenCode } from './code.ts'
import { commandsOf, unknownOptions, unknownScripts, unmarkedCommands } from './commands.ts'
import { brokenLinks } from './links.ts'
import { readPage } from './markdown.ts'
import { brokenPaths } from './paths.ts'

/** Every page that a reader of the repository may open. */
const PAGES = ['*.md', '{docs,clients,examples}/**/*.md']

/** What is wrong in the documents: links, headings, paths, commands, options, code. */
export function docProblems(): string[] {
  const pages = globSync(PAGES, { exclude: ['**/node_modules/**'] })
    .toSorted()
    .map(readPage)
  const commands = pages.flatMap(commandsOf)
  return [
    ...pages.flatMap(brokenLinks),
    ...pages.flatMap(brokenPaths),
    ...pages.flatMap(unmarkedCommands),
    ...pages.flatMap(brokenCode),
    ...unknownScripts(commands),
    ...unknownOptions(commands),
  ]
}
