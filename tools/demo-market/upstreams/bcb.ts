import { addDays } from '../../../shared/argentine-time.ts'
import { jsonUpstream } from '../upstream.ts'
import { bankDaysFrom, cut } from '../writing.ts'

/** Closing PTAX, oldest first. */
export const bcb = jsonUpstream('olinda.bcb.gov.br', ({ pathname }, market) =>
  pathname.startsWith('/olinda/servico/PTAX/versao/v1/odata/CotacaoMoedaPeriodo(')
    ? {
        value: bankDaysFrom(addDays(market.lastClose, -5), market.lastClose).map((day) => ({
          paridadeCompra: 1,
          paridadeVenda: 1,
          cotacaoCompra: cut(market.brlPerUsd - 0.0006, 5),
          cotacaoVenda: cut(market.brlPerUsd, 5),
          dataHoraCotacao: `${day} 13:09:26.433`,
          tipoBoletim: 'Fechamento',
        })),
      }
    : null,
)
