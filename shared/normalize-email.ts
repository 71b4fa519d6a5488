/**
 * The address as accounts store it, or null when it is not one. Only an e-mail proves that it
 * exists.
 */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u.test(email)
    ? email
    : null
}
