import { readFileSync } from 'node:fs'
import { receiverBinding } from '../../workers/standalone/local/order.ts'

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/**
 * For deliveries by `fetch`: an HTTP client of the runtime's own for each `--receiver`. It connects
 * to the loopback port alone, asks for the name by SNI and takes only a certificate for it, of the
 * usual authorities or those of `NODE_EXTRA_CA_CERTS`.
 */
export function receiverServices(receivers: Readonly<Record<string, string>>) {
  const trustedCertificates = extraCertificates()
  return Object.fromEntries(
    Object.entries(receivers).map(([name, address]) => [
      receiverBinding(name),
      {
        external: {
          address,
          https: {
            certificateHost: name,
            tlsOptions: { trustBrowserCas: true, trustedCertificates },
          },
        },
      },
    ]),
  )
}

/** As the runtime's other connections read them: a file that cannot be read adds none. */
function extraCertificates(): string[] {
  const file = process.env['NODE_EXTRA_CA_CERTS']
  try {
    return file ? (readFileSync(file, 'utf8').match(CERTIFICATES) ?? []) : []
  } catch {
    return []
  }
}
