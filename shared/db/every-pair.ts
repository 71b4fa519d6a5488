import { PAIRS } from '../market/catalog.ts'

const IDS = PAIRS.map(({ id }) => id)

/** The ids of every pair of the catalogue as JSON, for `json_each`. */
export const EVERY_PAIR = JSON.stringify(IDS)

/** The ids for `in (…)`: queries leave out rows of pairs that left the catalogue. */
export const PAIR_IDS = IDS.join(', ')
