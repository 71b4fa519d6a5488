/**
 * Days that are decided year by year, with their sources. Add a year's bridge days when their norm
 * is in the Boletín Oficial (often in the last weeks of the year before). Until then `/calendario`
 * shows them as unknown. The law defines all other days (holidays.ts).
 */
import type { Day } from '../argentine-time.ts'

/** Bridge days, at most three a year (law 27.399, article 7). Until 2024 they were holidays. */
export const BRIDGE_DAYS: Record<number, { norm: string; days: readonly string[] }> = {
  2021: { norm: 'Decreto 947/2020', days: ['05-24', '10-08', '11-22'] },
  2022: { norm: 'Decreto 789/2021', days: ['10-07', '11-21', '12-09'] },
  2023: { norm: 'Decreto 764/2022', days: ['05-26', '06-19', '10-13'] },
  2024: { norm: 'Decreto 106/2023', days: ['04-01', '06-21', '10-11'] },
  2025: { norm: 'Decreto 1027/2024', days: ['05-02', '08-15', '11-21'] },
  2026: { norm: 'Resolución JGM 164/2025', days: ['03-23', '07-10', '12-07'] },
}

/** Since this year, bridge days are only "non-working": banks close, but exchanges trade. */
export const BRIDGES_NON_WORKING_SINCE = 2025

/**
 * Since decree 614/2025 the chief of cabinet may move a movable holiday that falls on a weekend to
 * the Friday before or the Monday after. The key is the holiday's own date.
 */
export const MOVED_BY_DECISION: Record<Day, { to: Day; norm: string }> = {
  '2025-10-12': { to: '2025-10-10', norm: 'Resolución JGM 139/2025' },
}

export interface SingleDay {
  name: string
  source: string
  /** Whether it is a national holiday. Otherwise only banks, or banks and exchanges, close. */
  isHoliday: boolean
  exchanges: boolean
  /** Decided after the day's UVA was published, so UVA counts it as a business day. */
  late: boolean
}

/** Days decided for a single year. */
export const SINGLE_DAYS: Record<Day, SingleDay> = {
  '2021-12-24': yearEnd({ exchanges: false }),
  '2021-12-31': yearEnd({ exchanges: false }),
  '2022-05-18': decreed('Censo nacional', 'Decreto 42/2022', { late: false }),
  '2022-09-02': decreed('Feriado nacional por decreto', 'DNU 573/2022', { late: true }),
  '2022-12-20': decreed('Feriado nacional por el Mundial', 'DNU 842/2022', { late: true }),
  // The exchange traded until 15:00, without settlement.
  '2024-12-24': yearEnd({ exchanges: true }),
  '2024-12-31': yearEnd({ exchanges: false }),
  '2025-12-24': yearEnd({ exchanges: true }),
  '2025-12-31': yearEnd({ exchanges: false }),
  '2026-11-09': decreed('Feriado nacional por decreto', 'Decreto 1103/2026', { late: false }),
}

/**
 * Bank holidays on which the exchanges closed too. Until BYMA introduced settlement in one day, it
 * closed with the banks: in the recorded series, MEP and CCL never moved on these days. On
 * 2 May 2025 every source had nonsense values for both.
 */
export const EXCHANGES_FOLLOW_BANKS_UNTIL: Day = '2024-05-26'
export const EXCHANGES_CLOSED: readonly Day[] = ['2025-05-02']

function decreed(name: string, source: string, { late }: { late: boolean }): SingleDay {
  return { name, source, isHoliday: true, exchanges: false, late }
}

/** The central bank gave its staff leave and invited the banks to close, which they did. */
function yearEnd({ exchanges }: { exchanges: boolean }): SingleDay {
  const source = 'BCRA, comunicado de diciembre'
  return { name: 'Asueto bancario de fin de año', source, isHoliday: false, exchanges, late: true }
}
