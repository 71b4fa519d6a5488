/*
 * A pair's page follows its value once somebody stays: what it takes for that is not part of a visit
 * that only glances.
 */
const GLANCE_MS = 5_000
const headline = document.querySelector('[data-headline]')

if (headline) {
  setTimeout(() => {
    import('./headline-live.js').then(({ start }) => start(headline)).catch(() => {})
  }, GLANCE_MS)
}
