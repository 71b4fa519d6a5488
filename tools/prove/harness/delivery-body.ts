/** The body of a delivery of USD/BLUE. */
export const BODY = JSON.stringify({
  event: 'rate.updated',
  currency: 'USD',
  origin: 'BLUE',
  buy: 1410,
  sell: 1430,
  prevBuy: 1400,
  prevSell: 1420,
  changePct: 0.7,
  valueType: 'money',
  updatedAt: '2026-03-02T15:00:00.000Z',
  timestamp: '2026-03-02T15:00:01.000Z',
})
