/** Every host that the scraper asks (workers/scraper/sources/addresses.ts). */
import type { Upstream } from './upstream.ts'
import { a3 } from './upstreams/futures.ts'
import { ambito } from './upstreams/ambito.ts'
import { argentinadatos } from './upstreams/argentinadatos.ts'
import { bcb, bcu, mindicador } from './upstreams/neighbours.ts'
import { bcra } from './upstreams/bcra.ts'
import { belo, comparadolar, criptoya } from './upstreams/cripto.ts'
import { bluelytics } from './upstreams/bluelytics.ts'
import { bna, dolarhoy, iol, rava } from './upstreams/pages.ts'
import { byma, data912 } from './upstreams/bonds.ts'
import { dolarapi } from './upstreams/dolarapi.ts'

export const UPSTREAMS: ReadonlyMap<string, Upstream> = new Map(
  [
    a3,
    ambito,
    argentinadatos,
    bcb,
    bcra,
    bcu,
    belo,
    bluelytics,
    bna,
    byma,
    comparadolar,
    criptoya,
    data912,
    dolarapi,
    dolarhoy,
    iol,
    mindicador,
    rava,
  ].map((upstream) => [upstream.host, upstream]),
)
