/**
 * The ordered sources of each pair. "Same definition" is decided per pair: a fallback of another
 * definition moves the price although the market stood still. Provenance is where the data comes
 * from in the end: dolarapi repeats Ámbito, DolarHoy and IOL, data912 repeats BYMA, criptoya's
 * indices are the BCRA's.
 */
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { bondRatio } from './derive/bonds.ts'
import { latestInput, tarjetaOf, timesInput, turista } from './derive/crosses.ts'
import { frontContract, settlement } from './derive/futures.ts'
import { cerFromUva, uvaFromCer, valueOfToday } from './derive/indices.ts'
import { quoteOfBank, medianOfBanks, medianOfExchanges } from './derive/offers.ts'
import {
  derived,
  derivedFrom,
  direct,
  NEAR,
  oneNumber,
  type PairSource,
  SAME,
} from './pair-source.ts'

const TABLE: Partial<Record<string, readonly PairSource[]>> = {
  'USD/OFICIAL': [
    direct('ambito-oficial', 'ambito', SAME, 'USD/OFICIAL'),
    derivedFrom('criptoya-bancos', 'criptoya', NEAR, medianOfBanks),
    direct('dolarapi-ambito', 'ambito', SAME, 'USD/OFICIAL'),
    oneNumber(
      derivedFrom('bcra-minorista', 'bcra', NEAR, (from) => latestInput(from, 'USD minorista')),
    ),
  ],
  'USD/BNA': [
    direct('bna-personas', 'bna', SAME, 'USD/BNA'),
    direct('ambito-bna', 'ambito', SAME, 'USD/BNA'),
    derivedFrom('criptoya-bancos', 'criptoya', SAME, (from) => quoteOfBank(from, 'bna')),
    direct('dolarapi-ambito', 'ambito', SAME, 'USD/BNA'),
    direct('dolarapi-dolares', 'ambito', SAME, 'USD/BNA'),
  ],
  'USD/BLUE': [
    direct('ambito-blue', 'ambito', SAME, 'USD/BLUE'),
    direct('dolarhoy', 'dolarhoy', SAME, 'USD/BLUE'),
    direct('dolarapi-dolares', 'dolarhoy', SAME, 'USD/BLUE'),
    direct('criptoya-dolar', 'criptoya', SAME, 'USD/BLUE'),
    direct('bluelytics', 'bluelytics', NEAR, 'USD/BLUE'),
  ],
  'USD/MAYORISTA': [
    direct('ambito-mayorista', 'ambito', SAME, 'USD/MAYORISTA'),
    direct('bna-personas', 'bna', SAME, 'USD/MAYORISTA'),
    direct('dolarapi-dolares', 'ambito', SAME, 'USD/MAYORISTA'),
    oneNumber(
      derived(
        'bcra-ref',
        ['bcra-cotizaciones'],
        'bcra',
        NEAR,
        latestInput('bcra-cotizaciones', 'REF'),
      ),
    ),
    oneNumber(derivedFrom('bcra-a3500', 'bcra', NEAR, (from) => latestInput(from, 'A3500'))),
  ],
  'USD/BOLSA': [
    derivedFrom('byma-bonds', 'byma', SAME, (from) => bondRatio(from, 'mep')),
    derivedFrom('data912-bonds', 'byma', SAME, (from) => bondRatio(from, 'mep')),
    oneNumber(direct('criptoya-dolar', 'criptoya', SAME, 'USD/BOLSA')),
    oneNumber(direct('ambito-mep', 'ambito', SAME, 'USD/BOLSA')),
    direct('dolarapi-dolares', 'dolarhoy', SAME, 'USD/BOLSA'),
  ],
  // Ámbito last: it prints the last trade of the thin cable leg, up to 4.6 % off at the close.
  'USD/CCL': [
    oneNumber(derivedFrom('byma-bonds', 'byma', SAME, (from) => bondRatio(from, 'ccl'))),
    oneNumber(derivedFrom('data912-bonds', 'byma', SAME, (from) => bondRatio(from, 'ccl'))),
    oneNumber(direct('criptoya-dolar', 'criptoya', SAME, 'USD/CCL')),
    direct('dolarapi-dolares', 'dolarhoy', SAME, 'USD/CCL'),
    oneNumber(direct('ambito-ccl', 'ambito', SAME, 'USD/CCL')),
  ],
  'USD/CRIPTO': [
    derivedFrom('criptoya-usdt', 'criptoya', SAME, medianOfExchanges),
    direct('belo', 'belo', SAME, 'USD/CRIPTO'),
    derivedFrom('comparadolar', 'comparadolar', SAME, medianOfExchanges),
    oneNumber(direct('ambito-cripto', 'ambito', NEAR, 'USD/CRIPTO')),
    direct('criptoya-dolar', 'criptoya', NEAR, 'USD/CRIPTO'),
    direct('dolarapi-dolares', 'dolarhoy', NEAR, 'USD/CRIPTO'),
  ],
  'USD/TARJETA': [
    derived('bna × tarjeta', ['bna-personas'], 'bna', SAME, tarjetaOf('bna-personas')),
    derived('ambito-bna × tarjeta', ['ambito-bna'], 'ambito', SAME, tarjetaOf('ambito-bna')),
    derivedFrom('ambito-turista', 'ambito', SAME, turista),
    direct('dolarapi-dolares', 'ambito', SAME, 'USD/TARJETA'),
  ],
  'USD/FUTURO': [
    derivedFrom('ambito-futuro-contratos', 'ambito', SAME, frontContract),
    oneNumber(direct('ambito-futuro', 'ambito', SAME, 'USD/FUTURO')),
    { ...oneNumber(derivedFrom('a3-dlr', 'a3', SAME, settlement)), ownHours: true },
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
    derived(
      'ambito-bna × EUR/USD',
      ['ambito-bna', 'bcra-cotizaciones'],
      'ambito × bcra',
      NEAR,
      timesInput('ambito-bna', 'USD/BNA', 'bcra-cotizaciones', 'EUR/USD'),
    ),
  ],
  // Not bluelytics: its euro is 7 % low.
  'EUR/BLUE': [
    direct('ambito-euro-blue', 'ambito', SAME, 'EUR/BLUE'),
    blueTimesEuro('ambito-blue', 'ambito'),
    blueTimesEuro('dolarhoy', 'dolarhoy'),
    blueTimesEuro('dolarapi-dolares', 'dolarhoy'),
    blueTimesEuro('criptoya-dolar', 'criptoya'),
  ],
  'BRL/OFICIAL': [
    direct('ambito-real', 'ambito', SAME, 'BRL/OFICIAL'),
    direct('dolarapi-cotizaciones', 'iol', NEAR, 'BRL/OFICIAL'),
    direct('iol-monedas', 'iol', NEAR, 'BRL/OFICIAL'),
    bcraRate('bcra-brl', 'BRL'),
  ],
  // Neither Ámbito nor any other source has it: without BNA the last value stays.
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
  // Both come from the BCRA, whatever the host. Only the identity between them can be checked.
  'ARG/CER': [
    derivedFrom('bcra-cer', 'bcra', SAME, (from) => latestInput(from, 'CER')),
    derivedFrom('criptoya-cer', 'bcra', SAME, (from) => valueOfToday(from, 'CER')),
    derived('uva → cer', ['bcra-uva'], 'bcra-uva', NEAR, cerFromUva('bcra-uva')),
    derived(
      'argentinadatos-uva → cer',
      ['argentinadatos-uva'],
      'bcra-uva',
      NEAR,
      cerFromUva('argentinadatos-uva'),
    ),
  ],
  'ARG/UVA': [
    derivedFrom('bcra-uva', 'bcra', SAME, (from) => latestInput(from, 'UVA')),
    derivedFrom('argentinadatos-uva', 'bcra', SAME, (from) => valueOfToday(from, 'UVA')),
    derivedFrom('criptoya-uva', 'bcra', SAME, (from) => valueOfToday(from, 'UVA')),
    derived('cer → uva', ['bcra-cer'], 'bcra-cer', SAME, uvaFromCer('bcra-cer')),
  ],
}

/** The BCRA's closing rate of a currency. */
function bcraRate(name: string, currency: string): PairSource {
  const derivation = latestInput('bcra-cotizaciones', currency)
  return oneNumber(derived(name, ['bcra-cotizaciones'], 'bcra', NEAR, derivation))
}

function blueTimesEuro(blue: string, origin: string): PairSource {
  return derived(
    `${blue} × EUR/USD`,
    [blue, 'bcra-cotizaciones'],
    `${origin} × bcra`,
    NEAR,
    timesInput(blue, 'USD/BLUE', 'bcra-cotizaciones', 'EUR/USD'),
  )
}

/** The sources of a pair in order of preference; the first one is the pair's usual source. */
export function sourcesOf(pair: Pick<Pair, 'currency' | 'origin'>): readonly PairSource[] {
  const sources = TABLE[pairKey(pair)]
  if (!sources) throw new Error(`no sources for ${pairKey(pair)}`)

  return sources
}
