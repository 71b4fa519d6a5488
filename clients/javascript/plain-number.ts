/** A number in decimals: `1e21` and `1e-7` without their exponents. */
export function plainNumber(value: number): string {
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? []
  if (exponent === undefined) return String(value)

  const digits = whole + fraction
  const point = Number(exponent) + whole.length
  return point > 0 ? sign + digits.padEnd(point, '0') : `${sign}0.${'0'.repeat(-point)}${digits}`
}
