/** Types of convert.js, which the Worker imports too. Amounts in millionths, prices in Price. */
export function parseAmount(text: string): bigint | null
export function toPesos(amount: bigint, price: number): bigint
export function fromPesos(amount: bigint, price: number): bigint
export function formatScaled(value: bigint, decimals: number): string
export function formatAmount(amount: bigint): string
export function describeConversion(
  amount: bigint,
  price: number,
  unit: string,
): { pesos: string; sentence: string; inverse: string }
