/* A pair's page follows its value only when somebody stays: a short visit loads nothing more. */
const GLANCE_MS = 5_000
const headline = document.querySelector('[data-headline]')

if (headline) {
  setTimeout(() => {
    import('./headline-live.js').then(({ start }) => start(headline)).catch(() => {})
  }, GLANCE_MS)
}
