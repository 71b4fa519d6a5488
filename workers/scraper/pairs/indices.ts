import { cerFromUva, uvaFromCer, valueInEffect, valueOfToday } from './derive/indices.ts'
import { derived, direct, NEAR, type PairTable, SAME } from './make.ts'

export const INDICES: PairTable = {
  'ARG/RIESGO': [
    direct('ambito-riesgo-jornada', 'ambito', SAME, 'ARG/RIESGO'),
    direct('ambito-riesgo', 'ambito', SAME, 'ARG/RIESGO'),
    direct('rava-riesgo', 'rava', SAME, 'ARG/RIESGO'),
    direct('argentinadatos-riesgo', 'ambito', SAME, 'ARG/RIESGO'),
  ],
  // Both come from the BCRA, whatever the host. The only check is the identity between them.
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
