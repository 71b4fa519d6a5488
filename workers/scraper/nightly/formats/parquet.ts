import { parquetWriteBuffer } from 'hyparquet-writer'
import { PRICE_SCALE } from '../../../../shared/market/price.ts'
import type { DailyCloses } from '../daily-closes.ts'

const DECIMALS = Math.log10(PRICE_SCALE)
const required = { repetition_type: 'REQUIRED' } as const
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', ...required } as const
const decimal = {
  type: 'INT64',
  converted_type: 'DECIMAL',
  precision: 18,
  scale: DECIMALS,
  ...required,
} as const

/** Columns as in the CSV; prices are decimals of four places, exact. */
export function toParquet({ pairs }: DailyCloses): Uint8Array {
  const repeated = <Value>(value: (of: DailyCloses['pairs'][number]) => Value) =>
    pairs.flatMap((of) => of.sell.map(() => value(of)))

  return new Uint8Array(
    parquetWriteBuffer({
      schema: [
        { name: 'daily_closes', num_children: 6 },
        { name: 'date', type: 'INT32', converted_type: 'DATE', ...required },
        { name: 'currency', ...text },
        { name: 'origin', ...text },
        { name: 'buy', ...decimal },
        { name: 'sell', ...decimal },
        { name: 'changed', type: 'BOOLEAN', ...required },
      ],
      columnData: [
        {
          name: 'date',
          data: pairs.flatMap(({ first, sell }) => sell.map((_, index) => first + index)),
        },
        { name: 'currency', data: repeated(({ pair }) => pair.currency) },
        { name: 'origin', data: repeated(({ pair }) => pair.origin) },
        { name: 'buy', data: pairs.flatMap(({ buy }) => buy.map(BigInt)) },
        { name: 'sell', data: pairs.flatMap(({ sell }) => sell.map(BigInt)) },
        { name: 'changed', data: pairs.flatMap(({ changed }) => changed) },
      ],
      rowGroupSize: 100_000,
      createdBy: 'cotizaciones',
    }),
  )
}
