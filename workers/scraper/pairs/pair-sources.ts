/**
 * The ordered sources of each pair. A source is `SAME` or `NEAR` for a pair: a fallback of another
 * definition moves the price although the market stood still. Provenance is where the data comes
 * from originally: dolarapi repeats Ámbito, DolarHoy and IOL, data912 repeats BYMA, and criptoya
 * repeats the BCRA's indices.
 */
import { type Pair, pairKey, type PairKey } from '../../../shared/market/catalog.ts'
import { bondRatio } from './derive/bonds.ts'
import { latestInput, tarjeta, timesInput, turista } from './derive/crosses.ts'
import { frontContract, settlement } from './derive/futures.ts'
import { cerFromUva, uvaFromCer, valueOfToday } from './derive/indices.ts'
import { quoteOfBank, medianOfBanks, medianOfExchanges } from './derive/offers.ts'
import { derived, direct, NEAR, oneNumber, type PairSource, SAME } from './derivation.ts'

const TABLE: Partial<Record<PairKey, readonly PairSource[]>> = {
  'USD/OFICIAL': [
    direct('ambito-oficial', 'ambito', SAME, 'USD/OFICIAL'),
    derived('criptoya-bancos', 'criptoya', NEAR, medianOfBanks),
    direct('dolarapi-ambito', 'ambito', SAME, 'USD/OFICIAL'),
    oneNumber(derived('bcra-minorista', 'bcra', NEAR, latestInput('USD minorista'))),
  ],
  'USD/BNA': [
    direct('bna-personas', 'bna', SAME, 'USD/BNA'),
    direct('ambito-bna', 'ambito', SAME, 'USD/BNA'),
    derived('criptoya-bancos', 'criptoya', SAME, quoteOfBank('bna')),
    direct('dolarapi-ambito', 'ambito', SAME, 'USD/BNA'),
    direct('dolarapi-dolares', 'ambito', SAME, 'USD/BNA'),
  ],
  'USD/BLUE': [
    direct('ambito-blue', 'ambito', SAME, 'USD/BLUE'),
    direct('dolarhoy', 'dolarhoy', SAME, 'USD/BLUE'),
    direct('dolarapi-dolares', 'dolarhoy', SAME, 'USD/BLUE'),
    direct('criptoya-dolar', 'criptoya', SAME, 'USD/BLUE'),
  ],
  'USD/MAYORISTA': [
    direct('ambito-mayorista', 'ambito', SAME, 'USD/MAYORISTA'),
    direct('bna-personas', 'bna', SAME, 'USD/MAYORISTA'),
    direct('dolarapi-dolares', 'ambito', SAME, 'USD/MAYORISTA'),
    bcraRate('bcra-ref', 'REF'),
    oneNumber(derived('bcra-a3500', 'bcra', NEAR, latestInput('A3500'))),
  ],
  'USD/BOLSA': [
    derived('byma-bonds', 'byma', SAME, bondRatio('mep')),
    derived('data912-bonds', 'byma', SAME, bondRatio('mep')),
    oneNumber(direct('criptoya-dolar', 'criptoya', SAME, 'USD/BOLSA')),
    oneNumber(direct('ambito-mep', 'ambito', SAME, 'USD/BOLSA')),
    direct('dolarapi-dolares', 'dolarhoy', SAME, 'USD/BOLSA'),
  ],
  // Ámbito is last: it prints the last trade in cable, which may be 4.6 % off at the close.
  'USD/CCL': [
    oneNumber(derived('byma-bonds', 'byma', SAME, bondRatio('ccl'))),
    oneNumber(derived('data912-bonds', 'byma', SAME, bondRatio('ccl'))),
    oneNumber(direct('criptoya-dolar', 'criptoya', SAME, 'USD/CCL')),
    direct('dolarapi-dolares', 'dolarhoy', SAME, 'USD/CCL'),
    oneNumber(direct('ambito-ccl', 'ambito', SAME, 'USD/CCL')),
  ],
  'USD/CRIPTO': [
    derived('criptoya-usdt', 'criptoya', SAME, medianOfExchanges),
    direct('belo', 'belo', SAME, 'USD/CRIPTO'),
    derived('comparadolar', 'comparadolar', SAME, medianOfExchanges),
    oneNumber(direct('ambito-cripto', 'ambito', NEAR, 'USD/CRIPTO')),
    direct('criptoya-dolar', 'criptoya', NEAR, 'USD/CRIPTO'),
    direct('dolarapi-dolares', 'dolarhoy', NEAR, 'USD/CRIPTO'),
  ],
  'USD/TARJETA': [
    derived('bna × tarjeta', 'bna', SAME, tarjeta, ['bna-personas']),
    derived('ambito-bna × tarjeta', 'ambito', SAME, tarjeta, ['ambito-bna']),
    derived('ambito-turista', 'ambito', SAME, turista),
    direct('dolarapi-dolares', 'ambito', SAME, 'USD/TARJETA'),
  ],
  'USD/FUTURO': [
    derived('ambito-futuro-contratos', 'ambito', SAME, frontContract),
    oneNumber(direct('ambito-futuro', 'ambito', SAME, 'USD/FUTURO')),
    { ...oneNumber(derived('a3-dlr', 'a3', SAME, settlement)), ownHours: true },
  ],
  'EUR/OFICIAL': [
    direct('ambito-euro', 'ambito', SAME, 'EUR/OFICIAL'),
    direct('dolarapi-cotizaciones', 'iol', NEAR, 'EUR/OFICIAL'),
    direct('iol-monedas', 'iol', NEAR, 'EUR/OFICIAL'),
    direct('bna-personas', 'bna', NEAR, 'EUR/OFICIAL'),
    bcraRate('bcra-eur', 'EUR'),
  ],
  'EUR/BNA': [
    direct('bna-personas', 'bna', SAME, 'EUR/BNA'),
    timesEuro('ambito-bna', 'ambito', 'USD/BNA'),
  ],
  'EUR/BLUE': [
    direct('ambito-euro-blue', 'ambito', SAME, 'EUR/BLUE'),
    timesEuro('ambito-blue', 'ambito', 'USD/BLUE'),
    timesEuro('dolarhoy', 'dolarhoy', 'USD/BLUE'),
    timesEuro('dolarapi-dolares', 'dolarhoy', 'USD/BLUE'),
    timesEuro('criptoya-dolar', 'criptoya', 'USD/BLUE'),
  ],
  'BRL/OFICIAL': [
    direct('ambito-real', 'ambito', SAME, 'BRL/OFICIAL'),
    direct('dolarapi-cotizaciones', 'iol', NEAR, 'BRL/OFICIAL'),
    direct('iol-monedas', 'iol', NEAR, 'BRL/OFICIAL'),
    bcraRate('bcra-brl', 'BRL'),
  ],
  // No other source has this pair. If BNA fails, the last value stays.
  'BRL/BNA': [direct('bna-personas', 'bna', SAME, 'BRL/BNA')],
  'CLP/OFICIAL': [
    direct('dolarapi-cotizaciones', 'iol', SAME, 'CLP/OFICIAL'),
    direct('iol-monedas', 'iol', SAME, 'CLP/OFICIAL'),
    bcraRate('bcra-clp', 'CLP'),
  ],
  'UYU/OFICIAL': [
    direct('dolarapi-cotizaciones', 'iol', SAME, 'UYU/OFICIAL'),
    direct('iol-monedas', 'iol', SAME, 'UYU/OFICIAL'),
    bcraRate('bcra-uyu', 'UYU'),
  ],
  'ARG/RIESGO': [
    direct('ambito-riesgo-jornada', 'ambito', SAME, 'ARG/RIESGO'),
    direct('ambito-riesgo', 'ambito', SAME, 'ARG/RIESGO'),
    direct('rava-riesgo', 'rava', SAME, 'ARG/RIESGO'),
    direct('argentinadatos-riesgo', 'ambito', SAME, 'ARG/RIESGO'),
  ],
  // Every host repeats the BCRA, so the guard can only check that the values are equal.
  'ARG/CER': [
    derived('bcra-cer', 'bcra', SAME, latestInput('CER')),
    derived('criptoya-cer', 'bcra', SAME, valueOfToday('CER')),
    derived('uva → cer', 'bcra-uva', NEAR, cerFromUva, ['bcra-uva']),
    derived('argentinadatos-uva → cer', 'bcra-uva', NEAR, cerFromUva, ['argentinadatos-uva']),
  ],
  'ARG/UVA': [
    derived('bcra-uva', 'bcra', SAME, latestInput('UVA')),
    derived('argentinadatos-uva', 'bcra', SAME, valueOfToday('UVA')),
    derived('criptoya-uva', 'bcra', SAME, valueOfToday('UVA')),
    derived('cer → uva', 'bcra-cer', SAME, uvaFromCer, ['bcra-cer']),
  ],
}

/** The BCRA's closing rate of a currency. */
function bcraRate(name: string, currency: string): PairSource {
  return oneNumber(derived(name, 'bcra', NEAR, latestInput(currency), ['bcra-cotizaciones']))
}

/** A source's quote in dollars times the BCRA's euro. */
function timesEuro(source: string, origin: string, pair: PairKey): PairSource {
  const derive = timesInput(pair, 'EUR/USD')
  const needs = [source, 'bcra-cotizaciones']
  return derived(`${source} × EUR/USD`, `${origin} × bcra`, NEAR, derive, needs)
}

/** The sources of a pair in order of preference; the first one is the pair's usual source. */
export function sourcesOf(pair: Pick<Pair, 'currency' | 'origin'>): readonly PairSource[] {
  const sources = TABLE[pairKey(pair)]
  if (!sources) throw new Error(`no sources for ${pairKey(pair)}`)

  return sources
}
