import { bondRatio } from './derive/bonds.ts'
import { latestInput, tarjetaOf, turista } from './derive/crosses.ts'
import { frontContract, settlement } from './derive/futures.ts'
import { quoteOfBank, medianOfBanks, medianOfExchanges } from './derive/offers.ts'
import {
  derived,
  derivedFrom,
  direct,
  NEAR,
  oneNumber,
  type PairTable,
  SAME,
} from './pair-source.ts'

export const DOLLARS: PairTable = {
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
}
