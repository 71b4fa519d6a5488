export function moment(range: string, seconds: number): string
