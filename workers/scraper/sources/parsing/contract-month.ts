const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']

/** `YYYY-MM` of a contract's name: `Dólar Septiembre 2026`, `Sep-26`, `DLR092026`; else null. */
export function contractMonth(name: string): string | null {
  const [, digits, digitsYear] = /DLR[ /]?(\d{2})(\d{4})\b/i.exec(name) ?? []
  if (digits && digitsYear) return written(Number(digits), digitsYear)

  const [, word, year] = /([a-z]{3,10})[ ./-]+(?:de )?(\d{4}|\d{2})\s*$/i.exec(name) ?? []
  if (!word || !year) return null

  const abbreviation = word.slice(0, 3).toLowerCase().replace('set', 'sep')
  return written(MONTHS.indexOf(abbreviation) + 1, year.padStart(4, '20'))
}

function written(month: number, year: string): string | null {
  return month >= 1 && month <= 12 ? `${year}-${String(month).padStart(2, '0')}` : null
}
