/** SQLite as the platform compiled it, an import that the bundler does not touch. */
export async function sqliteModule(): Promise<WebAssembly.Module> {
  const { default: compiled } = await import('sql.js/dist/sql-wasm.wasm')
  return compiled
}
