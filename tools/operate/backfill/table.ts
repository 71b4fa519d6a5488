/** Which archive serves which pair, from when, and in which order. */
import type { Day } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import {
  type Archive,
  argentinadatos,
  bcb,
  bcraCurrencies,
  bcraVariables,
  mindicador,
} from './archives.ts'

export interface Served {
  archive: Archive
  key: string
  /** The first day of the series, by what is known. */
  from: Day
  /** Rates, not prices: the pair is the other one's value over, or times, the rate. */
  cross?: { leg: PairKey; by: 'over' | 'times' }
}

/** The wholesale reference begins; earlier crosses have no dollar. */
const A3500_FROM = '2002-03-04'
const BLUE_FROM = '2011-01-03'

const served = (archive: Archive, key: string, from: Day): Served => ({ archive, key, from })
/** Buy and sell. */
const dollar = (key: string, from: Day) => served(argentinadatos, key, from)
/** One number. */
const variable = (key: string, from: Day) => served(bcraVariables, key, from)
/** One number: pesos by the closing dollar. */
const currency = (key: string) => served(bcraCurrencies, key, A3500_FROM)
/** A rate of another currency, by which the wholesale dollar is divided. */
const overWholesale = (archive: Archive, key: string): Served => ({
  ...served(archive, key, A3500_FROM),
  cross: { leg: 'USD/MAYORISTA', by: 'over' },
})
/** Dollars per euro, times the blue dollar. */
const timesBlue: Served = {
  ...served(bcraCurrencies, 'EUR/USD', BLUE_FROM),
  cross: { leg: 'USD/BLUE', by: 'times' },
}

/**
 * The first archive of a pair wins. A further one only fills holes of more than ten days, because
 * its definition differs: a switch moves the price although the market stood still.
 */
export const SERVED: Readonly<Partial<Record<PairKey, readonly Served[]>>> = {
  'USD/OFICIAL': [
    dollar('oficial', '2011-01-03'),
    variable('4', '2010-06-01'), // the banks' average seller
  ],
  'USD/BLUE': [dollar('blue', BLUE_FROM)],
  'USD/MAYORISTA': [variable('5', A3500_FROM), dollar('mayorista', '2011-01-03')], // A 3500
  'USD/BOLSA': [dollar('bolsa', '2018-10-29')],
  'USD/CCL': [dollar('contadoconliqui', '2013-01-02')],
  'USD/CRIPTO': [dollar('cripto', '2023-02-07')],
  'USD/TARJETA': [dollar('tarjeta', '2019-12-23')],
  'EUR/OFICIAL': [currency('EUR')],
  'EUR/BLUE': [timesBlue],
  'BRL/OFICIAL': [currency('BRL'), overWholesale(bcb, 'USD')], // the closing PTAX
  'CLP/OFICIAL': [currency('CLP'), overWholesale(mindicador, 'dolar')], // the observed dollar
  'UYU/OFICIAL': [currency('UYU')],
  'ARG/RIESGO': [served(argentinadatos, 'riesgo-pais', '1999-01-22')],
  'ARG/CER': [variable('30', '2002-02-02')],
  'ARG/UVA': [variable('31', '2016-03-31'), served(argentinadatos, 'uva', '2016-03-31')],
}

export const ARCHIVES: ReadonlyMap<string, Archive> = new Map(
  [argentinadatos, bcraVariables, bcraCurrencies, mindicador, bcb].map((archive) => [
    archive.name,
    archive,
  ]),
)
