/**
 * The rows of each host one after another, at most `atOnce` of them, until every host had its turn;
 * then again. A run that sends to one host keeps its connections, and a host with few webhooks does
 * not wait for one with many.
 */
export function hostsInTurn<Row extends { host?: string }>(
  rows: readonly Row[],
  atOnce: number,
): Row[] {
  const turns: Row[][] = []
  for (const ofHost of Map.groupBy(rows, ({ host }) => host).values())
    ofHost.forEach((row, index) => (turns[Math.floor(index / atOnce)] ??= []).push(row))
  return turns.flat()
}
