import { cerFromUva, uvaFromCer, valueInEffect, valueOfToday } from './derive/indices.ts'
import { derived, derivedFrom, direct, NEAR, type PairTable, SAME } from './pair-source.ts'

export const INDICES: PairTable = {
  'ARG/RIESGO': [
    direct('ambito-riesgo-jornada', 'ambito', SAME, 'ARG/RIESGO'),
    direct('ambito-riesgo', 'ambito', SAME, 'ARG/RIESGO'),
    direct('rava-riesgo', 'rava', SAME, 'ARG/RIESGO'),
    direct('argentinadatos-riesgo', 'ambito', SAME, 'ARG/RIESGO'),
  ],
  // Both come from the BCRA, whatever the host. Only the identity between them can be checked.
  'ARG/CER': [
    derivedFrom('bcra-cer', 'bcra', SAME, (from) => valueInEffect(from, 'CER')),
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
    derivedFrom('bcra-uva', 'bcra', SAME, (from) => valueInEffect(from, 'UVA')),
    derivedFrom('argentinadatos-uva', 'bcra', SAME, (from) => valueOfToday(from, 'UVA')),
    derivedFrom('criptoya-uva', 'bcra', SAME, (from) => valueOfToday(from, 'UVA')),
    derived('cer → uva', ['bcra-cer'], 'bcra-cer', SAME, uvaFromCer('bcra-cer')),
  ],
}
