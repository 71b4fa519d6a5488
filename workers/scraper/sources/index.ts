/** The list of upstream documents, by upstream. */
import { a3, ambitoFutures } from './futures.ts'
import { ambitoSources } from './ambito.ts'
import { argentinadatosSources } from './argentinadatos.ts'
import { bcraCotizaciones, bcraVariables } from './bcra.ts'
import { belo, comparadolar, criptoyaSources } from './exchanges.ts'
import { bna } from './bna.ts'
import { byma, data912 } from './bonds.ts'
import { dolarapiSources } from './dolarapi.ts'
import { dolarhoy } from './dolarhoy.ts'
import { iol } from './iol.ts'
import { rava } from './rava.ts'
import type { Source } from './source.ts'

export const SOURCES: readonly Source[] = [
  bna,
  ...ambitoSources,
  ambitoFutures,
  bcraCotizaciones,
  ...bcraVariables,
  byma,
  data912,
  ...criptoyaSources,
  ...dolarapiSources,
  dolarhoy,
  iol,
  rava,
  a3,
  ...argentinadatosSources,
  belo,
  comparadolar,
]

const byName = new Map(SOURCES.map((source) => [source.name, source]))

/** The source with a name. Throws for an unknown name, which is a defect of ours. */
export function sourceNamed(name: string): Source {
  const source = byName.get(name)
  if (!source) throw new Error(`no source ${name}`)

  return source
}
