import { crossRate, latestInput, timesInput } from './derive/crosses.ts'
import {
  derived,
  direct,
  NEAR,
  oneNumber,
  type PairSource,
  type PairTable,
  SAME,
} from './pair-source.ts'

export const CURRENCIES: PairTable = {
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
    a3500Over('bcb-ptax', 'BRL per USD', 'bcb'),
  ],
  // Neither Ámbito nor any other source has it: without BNA the last value stays.
  'BRL/BNA': [direct('bna-personas', 'bna', SAME, 'BRL/BNA')],
  'CLP/OFICIAL': [
    direct('dolarapi-cotizaciones', 'iol', SAME, 'CLP/OFICIAL'),
    direct('iol-monedas', 'iol', SAME, 'CLP/OFICIAL'),
    bcraRate('bcra-clp', 'CLP'),
    a3500Over('mindicador', 'CLP per USD', 'mindicador'),
    derived(
      'ambito-mayorista / bcu',
      ['ambito-mayorista', 'bcu'],
      'ambito / bcu',
      NEAR,
      crossRate({ quote: ['ambito-mayorista', 'USD/MAYORISTA'] }, ['bcu', 'CLP per USD']),
    ),
  ],
  'UYU/OFICIAL': [
    direct('dolarapi-cotizaciones', 'iol', SAME, 'UYU/OFICIAL'),
    direct('iol-monedas', 'iol', SAME, 'UYU/OFICIAL'),
    bcraRate('bcra-uyu', 'UYU'),
    a3500Over('bcu', 'UYU per USD', 'bcu'),
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

/** Pesos per unit: the wholesale reference over the units per dollar of another central bank. */
function a3500Over(source: string, units: string, origin: string): PairSource {
  const derivation = crossRate({ input: ['bcra-a3500', 'A3500'] }, [source, units])
  return oneNumber(
    derived(`a3500 / ${source}`, ['bcra-a3500', source], `bcra / ${origin}`, NEAR, derivation),
  )
}
