/**
 * Replaces the MCP library's own `_shims` (`alias` in wrangler.toml). The original makes all
 * schemas of the protocol at once, which costs a first call more CPU than its answer, and loads a
 * validator of JSON Schema that nothing here uses.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('nothing is validated by JSON Schema')
  }
}
