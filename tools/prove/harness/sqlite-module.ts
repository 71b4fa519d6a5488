import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What a Worker may not do. */
interface Compiler {
  compile: (bytes: Uint8Array) => Promise<WebAssembly.Module>
}

/** The SQLite of the nightly files, compiled here: Node has no bundler that would have done it. */
export async function sqliteModule(): Promise<WebAssembly.Module> {
  const file = fileURLToPath(import.meta.resolve('sql.js/dist/sql-wasm.wasm'))
  const { compile } = WebAssembly as unknown as Compiler
  return compile(readFileSync(file))
}
