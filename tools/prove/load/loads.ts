import type { Load } from './load.ts'
import { current, privateReads, publicReads } from './reads.ts'
import { webhooks } from './webhooks.ts'

export const loads: readonly Load[] = [current, publicReads, privateReads, webhooks]
