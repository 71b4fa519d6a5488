import { addDays, type Day } from '../../../shared/argentine-time.ts'
import { jsonUpstream } from '../upstream.ts'
import { bankDaysFrom, cut } from '../writing.ts'

/** Closing PTAX of a range that the query names, oldest first. */
export const bcb = jsonUpstream(
  'olinda.bcb.gov.br',
  ({ pathname, searchParams }, { lastClose, on }) => {
    if (!pathname.startsWith('/olinda/servico/PTAX/versao/v1/odata/CotacaoMoedaPeriodo('))
      return null

    const from = dayOf(searchParams.get('@dataInicial')) ?? addDays(lastClose, -5)
    const to = dayOf(searchParams.get('@dataFinalCotacao')) ?? lastClose
    return {
      value: bankDaysFrom(from, to < lastClose ? to : lastClose).map((day) => {
        const { brlPerUsd } = on(day)
        return {
          paridadeCompra: 1,
          paridadeVenda: 1,
          cotacaoCompra: cut(brlPerUsd - 0.0006, 5),
          cotacaoVenda: cut(brlPerUsd, 5),
          dataHoraCotacao: `${day} 13:09:26.433`,
          tipoBoletim: 'Fechamento',
        }
      }),
    }
  },
)

/** The day of `'MM-DD-YYYY'`. */
function dayOf(text: string | null): Day | null {
  const [, rest, year] = /^'(\d\d-\d\d)-(\d{4})'$/.exec(text ?? '') ?? []
  return year === undefined ? null : `${year}-${rest}`
}
