export interface Mail {
  to: string
  subject: string
  text: string
}

/** Hands one e-mail to the sender; rejects when the sender does not take it. */
export type SendMail = (mail: Mail) => Promise<unknown>

/**
 * Sends through the platform's e-mail binding, or another with its interface, and marks the e-mail
 * as automatic.
 */
export function mailThrough(binding: SendEmail, from: string): SendMail {
  // RFC 3834: keeps auto-replies from coming back.
  const headers = { 'Auto-Submitted': 'auto-generated' }
  return (mail) => binding.send({ from, ...mail, headers })
}

/** The address as accounts store it, or null when malformed. Only an e-mail proves it exists. */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u.test(email)
    ? email
    : null
}
