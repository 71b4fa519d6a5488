import { measured } from '../../tools/prove/bench/measured.ts'
import { env } from './env.ts'

/** The test's D1, and what everything asked of it cost so far by its own count. */
export const measuredDatabase = () => measured(env.DB)
