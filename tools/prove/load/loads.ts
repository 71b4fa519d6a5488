import { datesAtLimit, datesOverLimit } from './dates.ts'
import { followersOfMany, followersOfOne } from './followers.ts'
import type { Load } from './load.ts'
import { current, privateReads, publicReads } from './reads.ts'
import { recovery } from './recovery.ts'
import { webhooks } from './webhooks.ts'

export const loads: readonly Load[] = [
  current,
  publicReads,
  privateReads,
  webhooks,
  datesAtLimit,
  datesOverLimit,
  followersOfMany,
  followersOfOne,
  recovery,
]
