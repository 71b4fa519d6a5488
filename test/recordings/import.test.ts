import { describeImport } from '../support/imported-series.ts'
import { pathOf } from './recordings.ts'

const daily = (name: string) => pathOf(`data/argentinadatos/${name}`)
const hourly = (name: string) => pathOf(`data/dolarapi-hourly/${name}`)

describeImport(
  'the whole real series, imported',
  {
    dollars: daily('cotizaciones-dolares.json'),
    currencies: daily('cotizaciones.json'),
    indices: [daily('riesgo-pais.json'), daily('uva.json'), pathOf('data/cer/cer.csv')],
    hourly: [hourly('dolares-hourly.csv')],
    changes: hourly('cotizaciones-changes.csv'),
    incidents: hourly('incidents.csv'),
  },
  { closes: 4000, observations: 3629, incidents: 60 },
)
