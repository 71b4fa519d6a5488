export interface Mail {
  to: string
  subject: string
  text: string
}

/** Passes one e-mail to the mail service. Rejects when the service does not accept it. */
export type SendMail = (mail: Mail) => Promise<unknown>

/**
 * Sends through the platform's e-mail binding, or an object with the same interface, and declares
 * the e-mail as automatic.
 */
export function mailThrough(binding: SendEmail, from: string): SendMail {
  // RFC 3834: mail systems send no automatic reply to such an e-mail.
  const headers = { 'Auto-Submitted': 'auto-generated' }
  return (mail) => binding.send({ from, ...mail, headers })
}

/** The address as accounts store it; null when malformed. Only an e-mail proves that it exists. */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u.test(email)
    ? email
    : null
}
