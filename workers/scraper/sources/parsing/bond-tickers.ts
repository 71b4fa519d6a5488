/** The bonds whose two legs give the MEP and CCL dollars: `D` settles in dollars, `C` in cable. */
export interface BondTickers {
  pesos: string
  mep: string
  ccl: string
}

/** Matures on 9 July 2030: choose another before then. Its coupons do not touch the ratio. */
export const MAIN_BOND: BondTickers = { pesos: 'AL30', mep: 'AL30D', ccl: 'AL30C' }

/** Under New York law. The main bond is checked against it. */
export const CHECK_BOND: BondTickers = { pesos: 'GD30', mep: 'GD30D', ccl: 'GD30C' }

/** The symbols to read from a panel of hundreds. */
export const BOND_SYMBOLS: ReadonlySet<string> = new Set(
  [MAIN_BOND, CHECK_BOND].flatMap((bond) => Object.values(bond)),
)
