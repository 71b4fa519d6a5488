/**
 * The ordered sources of each pair. "Same definition" is a judgement per pair: failing over to a
 * source of another definition moves the price although the market stood still. Provenance is
 * where the data comes from in the end: dolarapi repeats Ámbito, DolarHoy and IOL, data912 repeats
 * BYMA, criptoya's indices are the BCRA's.
 */
import type { Pair, PairKey } from '../../shared/catalog.ts'
import { pairKey } from '../../shared/catalog.ts'
import { bondRatio } from './derive/bonds.ts'
import { bankAsked, medianOfBanks, medianOfExchanges } from './derive/offers.ts'
import { cerFromUva, uvaFromCer, valueInEffect, valueOfToday } from './derive/indices.ts'
import { crossRate, latestInput, timesInput } from './derive/crosses.ts'
import { settlement, frontContract } from './derive/futures.ts'
import { quoted } from './derive/quoted.ts'
import { tarjetaOf, turista } from './derive/tarjeta.ts'
import type { Derivation, PairSource } from './pair-source.ts'

const SAME = true
const NEAR = false

const table: Partial<Record<PairKey, readonly PairSource[]>> = {
  'USD/OFICIAL': [
    direct('ambito-oficial', 'ambito', SAME, 'USD/OFICIAL'),
    derived(
      'bcra-minorista',
      ['bcra-minorista'],
      'bcra',
      NEAR,
      latestInput('bcra-minorista', 'USD minorista'),
    ),
    derived(
      'criptoya-bancos',
      ['criptoya-bancos'],
      'criptoya',
      NEAR,
      medianOfBanks('criptoya-bancos'),
    ),
    direct('dolarapi-ambito', 'ambito', SAME, 'USD/OFICIAL'),
  ],
  'USD/BNA': [
    direct('bna-personas', 'bna', SAME, 'USD/BNA'),
    direct('ambito-bna', 'ambito', SAME, 'USD/BNA'),
    derived(
      'criptoya-bancos',
      ['criptoya-bancos'],
      'criptoya',
      SAME,
      bankAsked('criptoya-bancos', 'bna'),
    ),
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
    derived(
      'bcra-ref',
      ['bcra-cotizaciones'],
      'bcra',
      NEAR,
      latestInput('bcra-cotizaciones', 'REF'),
    ),
    derived('bcra-a3500', ['bcra-a3500'], 'bcra', NEAR, latestInput('bcra-a3500', 'A3500')),
    direct('bna-personas', 'bna', SAME, 'USD/MAYORISTA'),
    direct('dolarapi-dolares', 'ambito', SAME, 'USD/MAYORISTA'),
  ],
  'USD/BOLSA': [
    derived('byma-bonds', ['byma-bonds'], 'byma', SAME, bondRatio('byma-bonds', 'mep')),
    derived('data912-bonds', ['data912-bonds'], 'byma', SAME, bondRatio('data912-bonds', 'mep')),
    direct('criptoya-dolar', 'criptoya', SAME, 'USD/BOLSA'),
    direct('ambito-mep', 'ambito', SAME, 'USD/BOLSA'),
    direct('dolarapi-dolares', 'dolarhoy', SAME, 'USD/BOLSA'),
  ],
  // Ámbito last: it prints the last trade of the thin cable leg, up to 4.6 % off at the close.
  'USD/CCL': [
    derived('byma-bonds', ['byma-bonds'], 'byma', SAME, bondRatio('byma-bonds', 'ccl')),
    derived('data912-bonds', ['data912-bonds'], 'byma', SAME, bondRatio('data912-bonds', 'ccl')),
    direct('criptoya-dolar', 'criptoya', SAME, 'USD/CCL'),
    direct('dolarapi-dolares', 'dolarhoy', SAME, 'USD/CCL'),
    direct('ambito-ccl', 'ambito', SAME, 'USD/CCL'),
  ],
  'USD/CRIPTO': [
    derived(
      'criptoya-usdt',
      ['criptoya-usdt'],
      'criptoya',
      SAME,
      medianOfExchanges('criptoya-usdt'),
    ),
    direct('belo', 'belo', SAME, 'USD/CRIPTO'),
    derived(
      'comparadolar',
      ['comparadolar'],
      'comparadolar',
      SAME,
      medianOfExchanges('comparadolar'),
    ),
    direct('ambito-cripto', 'ambito', NEAR, 'USD/CRIPTO'),
    direct('criptoya-dolar', 'criptoya', NEAR, 'USD/CRIPTO'),
    direct('dolarapi-dolares', 'dolarhoy', NEAR, 'USD/CRIPTO'),
  ],
  'USD/TARJETA': [
    derived('bna × tarjeta', ['bna-personas'], 'bna', SAME, tarjetaOf('bna-personas')),
    derived('ambito-bna × tarjeta', ['ambito-bna'], 'ambito', SAME, tarjetaOf('ambito-bna')),
    derived('ambito-turista', ['ambito-turista'], 'ambito', SAME, turista('ambito-turista')),
    direct('dolarapi-dolares', 'ambito', SAME, 'USD/TARJETA'),
  ],
  'USD/FUTURO': [
    derived(
      'ambito-futuro-contratos',
      ['ambito-futuro-contratos'],
      'ambito',
      SAME,
      frontContract('ambito-futuro-contratos'),
    ),
    direct('ambito-futuro', 'ambito', SAME, 'USD/FUTURO'),
    { ...derived('a3-dlr', ['a3-dlr'], 'a3', SAME, settlement('a3-dlr')), ownHours: true },
  ],
  'EUR/OFICIAL': [
    direct('ambito-euro', 'ambito', SAME, 'EUR/OFICIAL'),
    direct('dolarapi-cotizaciones', 'iol', NEAR, 'EUR/OFICIAL'),
    direct('iol-monedas', 'iol', NEAR, 'EUR/OFICIAL'),
    derived(
      'bcra-eur',
      ['bcra-cotizaciones'],
      'bcra',
      NEAR,
      latestInput('bcra-cotizaciones', 'EUR'),
    ),
    direct('bna-personas', 'bna', NEAR, 'EUR/OFICIAL'),
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
    derived(
      'bcra-brl',
      ['bcra-cotizaciones'],
      'bcra',
      NEAR,
      latestInput('bcra-cotizaciones', 'BRL'),
    ),
    a3500Over('bcb-ptax', 'BRL per USD', 'bcb'),
  ],
  // Ámbito has none, and nobody else repeats it: without BNA the last value stays.
  'BRL/BNA': [direct('bna-personas', 'bna', SAME, 'BRL/BNA')],
  'CLP/OFICIAL': [
    direct('dolarapi-cotizaciones', 'iol', SAME, 'CLP/OFICIAL'),
    direct('iol-monedas', 'iol', SAME, 'CLP/OFICIAL'),
    derived(
      'bcra-clp',
      ['bcra-cotizaciones'],
      'bcra',
      NEAR,
      latestInput('bcra-cotizaciones', 'CLP'),
    ),
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
    derived(
      'bcra-uyu',
      ['bcra-cotizaciones'],
      'bcra',
      NEAR,
      latestInput('bcra-cotizaciones', 'UYU'),
    ),
    a3500Over('bcu', 'UYU per USD', 'bcu'),
  ],
  'ARG/RIESGO': [
    direct('ambito-riesgo-jornada', 'ambito', SAME, 'ARG/RIESGO'),
    direct('ambito-riesgo', 'ambito', SAME, 'ARG/RIESGO'),
    direct('rava-riesgo', 'rava', SAME, 'ARG/RIESGO'),
    direct('argentinadatos-riesgo', 'ambito', SAME, 'ARG/RIESGO'),
  ],
  // Both are the BCRA's alone, whatever the host; only the identity between them is a check.
  'ARG/CER': [
    derived('bcra-cer', ['bcra-cer'], 'bcra', SAME, valueInEffect('bcra-cer', 'CER')),
    derived('criptoya-cer', ['criptoya-cer'], 'bcra', SAME, valueOfToday('criptoya-cer', 'CER')),
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
    derived('bcra-uva', ['bcra-uva'], 'bcra', SAME, valueInEffect('bcra-uva', 'UVA')),
    derived(
      'argentinadatos-uva',
      ['argentinadatos-uva'],
      'bcra',
      SAME,
      valueOfToday('argentinadatos-uva', 'UVA'),
    ),
    derived('criptoya-uva', ['criptoya-uva'], 'bcra', SAME, valueOfToday('criptoya-uva', 'UVA')),
    derived('cer → uva', ['bcra-cer'], 'bcra-cer', SAME, uvaFromCer('bcra-cer')),
  ],
}

/** The sources of a pair in order of preference; the first one is the pair's usual source. */
export function sourcesOf(pair: Pick<Pair, 'currency' | 'origin'>): readonly PairSource[] {
  const sources = table[pairKey(pair)]
  if (!sources) throw new Error(`no sources for ${pairKey(pair)}`)

  return sources
}

/** A document that quotes the pair itself. */
function direct(source: string, provenance: string, same: boolean, pair: PairKey): PairSource {
  return derived(source, [source], provenance, same, quoted(source, pair))
}

function derived(
  name: string,
  needs: readonly string[],
  provenance: string,
  sameDefinition: boolean,
  derive: Derivation,
): PairSource {
  return { name, needs, provenance, sameDefinition, derive }
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
  return derived(
    `a3500 / ${source}`,
    ['bcra-a3500', source],
    `bcra / ${origin}`,
    NEAR,
    crossRate({ input: ['bcra-a3500', 'A3500'] }, [source, units]),
  )
}
