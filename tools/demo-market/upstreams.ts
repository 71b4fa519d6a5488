/** Every host that the scraper asks (workers/scraper/sources/addresses.ts). */
import type { Upstream } from './upstream.ts'
import { a3 } from './upstreams/a3.ts'
import { ambito } from './upstreams/ambito.ts'
import { argentinadatos } from './upstreams/argentinadatos.ts'
import { bcb } from './upstreams/bcb.ts'
import { bcra } from './upstreams/bcra.ts'
import { bcu } from './upstreams/bcu.ts'
import { belo } from './upstreams/belo.ts'
import { bluelytics } from './upstreams/bluelytics.ts'
import { bna } from './upstreams/bna.ts'
import { byma } from './upstreams/byma.ts'
import { comparadolar } from './upstreams/comparadolar.ts'
import { criptoya } from './upstreams/criptoya.ts'
import { data912 } from './upstreams/data912.ts'
import { dolarapi } from './upstreams/dolarapi.ts'
import { dolarhoy } from './upstreams/dolarhoy.ts'
import { iol } from './upstreams/iol.ts'
import { mindicador } from './upstreams/mindicador.ts'
import { rava } from './upstreams/rava.ts'

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
