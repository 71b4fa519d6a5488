/**
 * The secrets, which the types generated from wrangler.toml do not know. A Worker's environment is
 * `EdgeEnv & Secrets`.
 */
export interface Secrets {
  /** `kid:base64,…`, each at least 32 bytes; the first seals, all of them open. */
  KEY_ENCRYPTION_KEYS: string
  /** Signs the sessions of the account area. */
  SESSION_SECRET: string
  /** The owner's fixed destination; absent: none. */
  SYSTEM_WEBHOOK_URL?: string
  /** `USD/BLUE,USD/BNA`; absent: every pair. */
  SYSTEM_WEBHOOK_PAIRS?: string
  GITHUB_CLIENT_ID?: string
  GITHUB_CLIENT_SECRET?: string
}
