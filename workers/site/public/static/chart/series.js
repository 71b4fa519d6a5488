/*
 * What a chart shows, from the documents that the site publishes: `[seconds, value]` ascending, each
 * in effect until the next. No page and no clock in here; types are in series.d.ts.
 */
export const DAY = 86_400
/** Midnight in Argentina, in seconds of a UTC day. */
const MIDNIGHT = 3 * 3600
const PRICE_SCALE = 10_000

/** No run of closed days is as long: a longer one without a change is a hole in the data. */
export const GAP = 10 * DAY

/** The start of the Argentine day of an instant. */
export function dayStart(at) {
  return Math.floor((at - MIDNIGHT) / DAY) * DAY + MIDNIGHT
}

export function pointsOf({ closes, recent }) {
  const days = closes.map(([day, sell]) => [dayEnd(day), sell / PRICE_SCALE])
  const last = days.at(-1)?.[0] ?? -Infinity
  const today = recent.map(([minute, sell]) => [minute * 60, sell / PRICE_SCALE])
  const inEffect = last === -Infinity ? today : today.filter(([at]) => at > last)
  return [...days, ...inEffect]
}

/** The points of the last day alone, which know the hour, and the close before them. */
export function recentPointsOf({ closes, recent }) {
  const points = recent.map(([minute, sell]) => [minute * 60, sell / PRICE_SCALE])
  const last = closes.at(-1)
  const isBefore = last && dayEnd(last[0]) < (points[0]?.[0] ?? Infinity)
  return isBefore ? [[dayEnd(last[0]), last[1] / PRICE_SCALE], ...points] : points
}

function dayEnd(day) {
  return (day + 1) * DAY + MIDNIGHT - 1
}

/** The instants of a plot: ends of days, so that quiet ones are flat, and today's changes. */
export function instantsOf(series, { from, to, daily }) {
  const inside = (start) =>
    series.flatMap((points) => points.map(([at]) => at).filter((at) => at > start && at < to))
  if (!daily) return ascending([from, ...inside(from), to])

  const ends = []
  for (let end = dayStart(from) + DAY - 1; end < to; end += DAY) if (end >= from) ends.push(end)
  return ascending([...ends, ...inside(ends.at(-1) ?? from), to])
}

function ascending(instants) {
  return [...new Set(instants)].toSorted((a, b) => a - b)
}

/**
 * The value in effect at each instant: null before the first, inside a hole, and after
 * `confirmed` when that is long past.
 */
export function valuesAt(points, instants, confirmed = Infinity) {
  let next = 0
  return instants.map((at) => {
    while (next < points.length && points[next][0] <= at) next++
    const current = points[next - 1]
    if (!current) return null
    if (current[0] === at) return current[1]

    const until = next < points.length ? points[next][0] : at
    const known = next < points.length ? current[0] : Math.max(confirmed, current[0])
    return until - known > GAP ? null : current[1]
  })
}

/** Places that no line reaches, because both neighbours are missing: they are drawn as dots. */
export function isolated(values) {
  return values.flatMap((value, index) =>
    value !== null && values[index - 1] == null && values[index + 1] == null ? [index] : [],
  )
}

/** Percent of one row above another, at each place where both are known. */
export function gapsOf(values, base) {
  return values.map((value, index) =>
    value === null || !base[index] ? null : (value / base[index] - 1) * 100,
  )
}

/** `{at, open, high, low, close}` of each day with a change, today's from its points. */
export function candlesOf({ closes, recent }, now) {
  let before = null
  const days = closes.map(([day, sell, , high, low]) => {
    const at = dayEnd(day)
    const open = before && at - before.at <= GAP ? before.close : sell / PRICE_SCALE
    const close = sell / PRICE_SCALE
    before = {
      at,
      open,
      high: Math.max(open, close, (high ?? sell) / PRICE_SCALE),
      low: Math.min(open, close, (low ?? sell) / PRICE_SCALE),
      close,
    }
    return before
  })
  const today = candlesIn(recentPointsOf({ closes, recent }), dayStart(now), now, () => 0)
  return [...days.filter(({ at }) => at < dayStart(now)), ...today.map((c) => ({ ...c, at: now }))]
}

/** Candles of the buckets that `bucketOf` names, for points after `from`. */
export function candlesIn(points, from, to, bucketOf) {
  const candles = new Map()
  let open = null
  for (const [at, value] of points) {
    if (at >= from && at <= to) {
      const key = bucketOf(at)
      const known = candles.get(key) ?? {
        open: open ?? value,
        high: open ?? value,
        low: open ?? value,
      }
      candles.set(key, widened(known, { at, high: value, low: value, close: value }))
    }
    open = value
  }
  return [...candles.values()]
}

/** Daily candles joined by week or month, or left as they are. */
export function joined(candles, bucketOf) {
  const all = new Map()
  for (const candle of candles) {
    const key = bucketOf(candle.at)
    const known = all.get(key)
    all.set(key, known ? widened(known, candle) : candle)
  }
  return [...all.values()]
}

function widened(known, { at, high, low, close }) {
  return {
    open: known.open,
    at,
    high: Math.max(known.high, high),
    low: Math.min(known.low, low),
    close,
  }
}

/** Which week or month of Argentina an instant lies in, as a number that grows. */
export function weekOf(at) {
  return Math.floor(((at - MIDNIGHT) / DAY + 3) / 7)
}

export function monthOf(at) {
  const day = new Date((at - MIDNIGHT) * 1000)
  return day.getUTCFullYear() * 12 + day.getUTCMonth()
}

/** The last place of each bucket: what a table shows. */
export function lastOfEach(instants, bucketOf) {
  return instants.flatMap((at, index) =>
    index === instants.length - 1 || bucketOf(at) !== bucketOf(instants[index + 1]) ? [index] : [],
  )
}
