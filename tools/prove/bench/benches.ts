import { alerts } from './alerts.ts'
import { answers } from './answers.ts'
import { archive } from './archive.ts'
import type { Bench } from './bench.ts'
import { bundles } from './bundles.ts'
import { cycle } from './cycle.ts'
import { dates } from './dates.ts'
import { delivery } from './delivery.ts'
import { edge } from './edge.ts'
import { gate } from './gate.ts'
import { life } from './life.ts'
import { pages } from './pages.ts'
import { past } from './past.ts'
import { requests } from './requests.ts'
import { series } from './series.ts'
import { startup } from './startup.ts'
import { status } from './status.ts'
import { streams } from './streams.ts'
import { sweep } from './sweep.ts'
import { webhooks } from './webhooks.ts'

export const benches: readonly Bench[] = [
  edge,
  past,
  bundles,
  startup,
  requests,
  series,
  dates,
  gate,
  cycle,
  webhooks,
  alerts,
  delivery,
  life,
  sweep,
  status,
  streams,
  archive,
  answers,
  pages,
]
