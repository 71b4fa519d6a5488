export function timeMarks(
  low: number,
  high: number,
  most: number,
): { instants: number[]; labels: string[] }
export function valueLabels(splits: readonly number[], type: string): string[]
