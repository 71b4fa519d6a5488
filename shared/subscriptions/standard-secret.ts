/**
 * A webhook's secret as the libraries of Standard Webhooks take it: `whsec_` and the base64 of the
 * key's bytes, which are those of the secret's text.
 */
export function standardSecret(secret: string): string {
  return `whsec_${btoa(secret)}`
}
