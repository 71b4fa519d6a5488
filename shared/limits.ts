/** The default and the largest number of points of a history (decision 12: history). */
export const HISTORY_POINTS = 100
export const MAX_HISTORY_POINTS = 500

/** The maximum number of single days of a series. */
export const MAX_SERIES_DATES = 500

/** The maximum length of a request's body, in bytes (decision 39: bodies and their refusals). */
export const MAX_BODY_BYTES = 16_384

/** Days that one client may read in a minute at the compatibility addresses. */
export const DAYS_A_MINUTE = 600

/** Requests of a key per UTC minute, and how many of them may be management or key checks. */
export const KEY_QUOTA = 60
export const MANAGEMENT_QUOTA = 30

/** The maximum of open redeliveries of an account, and of redeliveries per call (decision 77). */
export const OPEN_REDELIVERIES = 100
