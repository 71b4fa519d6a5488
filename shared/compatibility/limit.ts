/** Days that one client may read in a minute at the compatibility addresses. */
export const DAYS_A_MINUTE = 600
