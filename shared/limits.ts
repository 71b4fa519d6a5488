/** The default and the largest number of points of a history (decision 12: history). */
export const HISTORY_POINTS = 100
export const MAX_HISTORY_POINTS = 500

/** Single days of a series. */
export const MAX_SERIES_DATES = 500
