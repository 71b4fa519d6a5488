import { describeImport } from '../../../support/imported-series.ts'

const file = (name: string) => `test/fixtures/series/${name}`

describeImport(
  'selected real days, imported',
  {
    dollars: file('cotizaciones-dolares.json'),
    currencies: file('cotizaciones.json'),
    indices: [file('riesgo-pais.json'), file('uva.json'), file('cer.csv')],
    hourly: ['02', '09', '12'].map((month) => file(`dolares-hourly-2024-${month}.csv`)),
    changes: file('cotizaciones-changes-2024.csv'),
    incidents: file('incidents.csv'),
  },
  { closes: 10, observations: 80, incidents: 35 },
)
