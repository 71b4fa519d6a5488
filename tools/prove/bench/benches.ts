import { answers } from './answers.ts'
import { archive } from './archive.ts'
import type { Bench } from './bench.ts'
import { bundles } from './bundles.ts'
import { cycle } from './cycle.ts'
import { dates } from './dates.ts'
import { delivery } from './delivery.ts'
import { edge } from './edge.ts'
import { life } from './life.ts'
import { pages } from './pages.ts'
import { requests } from './requests.ts'
import { series } from './series.ts'
import { startup } from './startup.ts'
import { streams } from './streams.ts'

export const benches: readonly Bench[] = [
  edge,
  bundles,
  startup,
  requests,
  series,
  dates,
  cycle,
  delivery,
  life,
  streams,
  archive,
  answers,
  pages,
]
