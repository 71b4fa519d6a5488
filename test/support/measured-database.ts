import { measured } from '../../tools/prove/harness/statements.ts'
import { env } from './env.ts'

/** The test's D1, which counts its cost so far. */
export const measuredDatabase = () => measured(env.DB)
