import { bondRatio } from './derive/bonds.ts'
import { latestInput } from './derive/crosses.ts'
import { frontContract, settlement } from './derive/futures.ts'
import { bankAsked, medianOfBanks, medianOfExchanges } from './derive/offers.ts'
import { tarjetaOf, turista } from './derive/tarjeta.ts'
import { derived, direct, NEAR, type PairTable, SAME } from './make.ts'

export const DOLLARS: PairTable = {
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
}
