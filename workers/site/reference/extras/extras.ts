import type { Extra } from './extra.ts'

/**
 * Every subject of the extras document, in its order: one line a subject. Its routes go into
 * `workers/edge/extras/extra-routes.ts`, the first word of its paths into `RESERVED` of
 * `current-read.ts`, its requests into `tools/fuzz/grammar/routes/extras.ts`, and a test of each
 * declared answer into `test/site/reference/extras/`.
 */
export const EXTRAS: readonly Extra[] = []
