/** Days that one client may ask for in a minute at the compatibility addresses. */
export const DAYS_A_MINUTE = 600
