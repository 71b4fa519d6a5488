/** Unresolved rows, in the exact words of their partial index. */
export const UNRESOLVED = `status in ('held', 'accepted', 'rejected') and resolved_at is null`
