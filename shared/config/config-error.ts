/** A variable or secret that cannot be used, in one sentence for operators without any secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
