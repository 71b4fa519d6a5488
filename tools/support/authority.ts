import { generateKeyPairSync, randomBytes } from 'node:crypto'
import forge from 'node-forge'

/** A certificate with its key, PEM. */
export interface Certificate {
  cert: string
  key: string
}

/** A certificate authority for tests. Receivers on loopback use certificates that it signed. */
export type Authority = ReturnType<typeof openAuthority>

const DAY_MS = 24 * 60 * 60 * 1000

const SUBJECT = [{ name: 'commonName', value: 'cotizaciones test authority' }]

export function createAuthority(): Authority {
  const own = keyPair()
  const certificate = certificateOf(own.publicKey, SUBJECT, SUBJECT, 3650)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
  ])
  certificate.sign(own.privateKey, forge.md.sha256.create())

  return openAuthority(pem(certificate, own.privateKey))
}

/** Opens an authority from the certificate and key that `createAuthority` made. */
export function openAuthority(own: Certificate) {
  return {
    /** The authority's own certificate, for `NODE_EXTRA_CA_CERTS`, and its key. */
    own,
    /** A certificate for names, valid for `days` days from now. With negative `days`, expired. */
    issue(names: string[], days = 30): Certificate {
      const leaf = keyPair()
      const subject = [{ name: 'commonName', value: names[0]! }]
      const issued = certificateOf(leaf.publicKey, subject, SUBJECT, days)
      issued.setExtensions([
        { name: 'basicConstraints', cA: false },
        { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
      ])
      issued.sign(forge.pki.privateKeyFromPem(own.key), forge.md.sha256.create())
      return pem(issued, leaf.privateKey)
    },
  }
}

function pem(certificate: forge.pki.Certificate, key: forge.pki.rsa.PrivateKey): Certificate {
  return { cert: forge.pki.certificateToPem(certificate), key: forge.pki.privateKeyToPem(key) }
}

function certificateOf(
  publicKey: forge.pki.rsa.PublicKey,
  subject: forge.pki.CertificateField[],
  issuer: forge.pki.CertificateField[],
  days: number,
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = publicKey
  // The first byte is 01, because OpenSSL refuses a negative or padded number.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`
  certificate.validity.notBefore = new Date(Date.now() - (days < 0 ? 10 : 1) * DAY_MS)
  certificate.validity.notAfter = new Date(Date.now() + days * DAY_MS)
  certificate.setSubject(subject)
  certificate.setIssuer(issuer)
  return certificate
}

/** Node generates keys much faster than the library. */
function keyPair(): forge.pki.rsa.KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return {
    privateKey: forge.pki.privateKeyFromPem(privateKey),
    publicKey: forge.pki.publicKeyFromPem(publicKey),
  }
}
