/**
 * Every upstream address, in one place: what `--upstream` rewrites and what the demo market
 * answers. `DAY` stands for an Argentine day `YYYY-MM-DD` around today (see each source's
 * `request`); BCB writes its days `MM-DD-YYYY`.
 */
import { addDays, argentineDay, type Day, type Instant } from '../../../shared/argentine-time.ts'

interface Days {
  from: Day
  to: Day
}

export const AMBITO = 'https://mercados.ambito.com'
export const ambitoAddress = (path: string) => `${AMBITO}${path}`

/** The requested paths of Ámbito, by the name of their source. */
export const AMBITO_PATHS = {
  'ambito-oficial': '/dolar/oficial/variacion',
  'ambito-bna': '/dolarnacion/variacion',
  'ambito-blue': '/dolar/informal/variacion',
  'ambito-mayorista': '/dolar/mayorista/variacion',
  'ambito-mep': '/dolarrava/mep/variacion',
  'ambito-ccl': '/dolarrava/cl/variacion',
  'ambito-cripto': '/dolarcripto/variacion',
  'ambito-turista': '/dolarturista/variacion',
  'ambito-futuro-contratos': '/dolarfuturo/datos',
  'ambito-futuro': '/dolarfuturo/variacion',
  'ambito-euro': '/euro/variacion',
  'ambito-euro-blue': '/euro/informal/variacion',
  'ambito-real': '/real/variacion',
  'ambito-riesgo-jornada': '/riesgopais/jornada',
  'ambito-riesgo': '/riesgopais/variacion',
} as const

export const BNA_PERSONAS = 'https://www.bna.com.ar/Personas'

/** Without `fecha`: the last day loaded. */
export const BCRA_COTIZACIONES = 'https://api.bcra.gob.ar/estadisticascambiarias/v1.0/Cotizaciones'

/** `/30?desde=DAY&hasta=DAY&limit=1000&offset=0`; ids 4, 5, 30 and 31. */
export function bcraVariableAddress(id: number, from: Day, to: Day): string {
  return `https://api.bcra.gob.ar/estadisticas/v4.0/Monetarias/${id}?desde=${from}&hasta=${to}&limit=1000&offset=0`
}

export const DOLARAPI_DOLARES = 'https://dolarapi.com/v1/dolares'
export const DOLARAPI_AMBITO = 'https://dolarapi.com/v1/ambito/dolares'
export const DOLARAPI_COTIZACIONES = 'https://dolarapi.com/v1/cotizaciones'

export const CRIPTOYA_USDT = 'https://criptoya.com/api/USDT/ARS/1000'
export const CRIPTOYA_DOLAR = 'https://criptoya.com/api/dolar'
export const CRIPTOYA_BANCOS = 'https://criptoya.com/api/bancostodos'
export const CRIPTOYA_CER = 'https://criptoya.com/api/cer'
export const CRIPTOYA_UVA = 'https://criptoya.com/api/uva'

/** POST, JSON. */
export const BYMA_BONDS =
  'https://open.bymadata.com.ar/vanoms-be-core/rest/api/bymadata/free/public-bonds'
export const DATA912_BONDS = 'https://data912.com/live/arg_bonds'

export function a3Address({ from, to }: Days): string {
  return `https://apicem.matbarofex.com.ar/api/v2/closing-prices?market=ROFX&product=DLR&type=FUT&from=${from}&to=${to}&page=1&pageSize=500&sortDir=ASC&version=v2`
}

export const ARGENTINADATOS_RIESGO =
  'https://api.argentinadatos.com/v1/finanzas/indices/riesgo-pais/ultimo'
export const ARGENTINADATOS_UVA = 'https://api.argentinadatos.com/v1/finanzas/indices/uva'

export function argentinadatosHolidays(year: string): string {
  return `https://api.argentinadatos.com/v1/feriados/${year}`
}

export const DOLARHOY = 'https://dolarhoy.com/'
export const BLUELYTICS = 'https://api.bluelytics.com.ar/v2/latest'
export const IOL_MONEDAS = 'https://iol.invertironline.com/mercado/cotizaciones/argentina/monedas'
export const RAVA_RIESGO = 'https://www.rava.com/perfil/RIESGO%20PAIS'
export const MINDICADOR_DOLAR = 'https://mindicador.cl/api/dolar'

/** POST, SOAP: requests 2225 (USD) and 1300 (CLP) in one envelope. */
export const BCU = 'https://cotizaciones.bcu.gub.uy/wscotizaciones/servlet/awsbcucotizaciones'

export function bcbPtaxAddress({ from, to }: Days): string {
  const entity =
    'CotacaoMoedaPeriodo(moeda=@moeda,dataInicial=@dataInicial,dataFinalCotacao=@dataFinalCotacao)'
  return `https://olinda.bcb.gov.br/olinda/servico/PTAX/versao/v1/odata/${entity}?$filter=tipoBoletim%20eq%20%27Fechamento%27&$format=json&@dataFinalCotacao=%27${monthFirst(to)}%27&@dataInicial=%27${monthFirst(from)}%27&@moeda=%27USD%27`
}

export const BELO_PRICES = 'https://api.belo.app/public/price'
export const COMPARADOLAR_USDT = 'https://api.comparadolar.ar/usdt'

/** Today and the ten days before it: wide enough for the longest run of holidays. */
export function lastDays(now: Instant): Days {
  const to = argentineDay(now)
  return { from: addDays(to, -10), to }
}

/** `MM-DD-YYYY` */
function monthFirst(day: Day): string {
  return `${day.slice(5)}-${day.slice(0, 4)}`
}
