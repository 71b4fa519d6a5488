import * as z from 'zod/mini'
import { bcbPtaxAddress } from '../../../../workers/scraper/sources/addresses.ts'
import { type Archive, byYear, parseDocument } from '../archive.ts'

const payload = z.object({
  value: z.array(
    z.object({
      cotacaoVenda: z.unknown(),
      dataHoraCotacao: z.string(),
      tipoBoletim: z.string(),
    }),
  ),
})

/** Brazil's closing PTAX, reais per dollar; bulletins before the close are left out. */
export const bcb: Archive = {
  name: 'bcb',
  source: () => 'import:bcb',
  addresses: (_, from, to) => byYear(from, to).map((part) => bcbPtaxAddress(part.from, part.to)),
  read: (body) =>
    parseDocument(body, payload).value.flatMap(({ cotacaoVenda, dataHoraCotacao, tipoBoletim }) =>
      tipoBoletim === 'Fechamento'
        ? [{ day: dataHoraCotacao.slice(0, 10), buy: cotacaoVenda, sell: cotacaoVenda }]
        : [],
    ),
}
