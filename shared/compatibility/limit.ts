/** Days that one client may ask for in a minute at the peers' addresses. */
export const DAYS_A_MINUTE = 600
