/** SQLite as the platform compiled it. An import that the bundler leaves where it stands. */
export async function sqliteModule(): Promise<WebAssembly.Module> {
  const { default: compiled } = await import('sql.js/dist/sql-wasm.wasm')
  return compiled
}
