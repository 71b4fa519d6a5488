/**
 * The pages of a pair and of the gaps. So that a short visit loads little, the chart, its library
 * and its data load when the chart scrolls into view, and live values start after some seconds.
 */
const GLANCE_MS = 5_000
const chart = document.querySelector<HTMLElement>('[data-chart]')
const headline = document.querySelector<HTMLElement>('[data-now]')

if (chart) {
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      seen.disconnect()
      import('./chart/chart.ts')
        .then(({ startChart }) => startChart(chart))
        .catch(() => {
          chart.textContent =
            'No pudimos traer el gráfico. Volvé a cargar la página para probar de nuevo.'
        })
    },
    { rootMargin: '100px' },
  )
  seen.observe(chart)
}

if (headline) {
  setTimeout(() => {
    const pairs = [...document.querySelectorAll<HTMLElement>('[data-pair]')]
    import('./quotes.ts')
      .then(({ followQuotes }) =>
        followQuotes(headline, { pairs: pairs.map(({ dataset }) => dataset['pair']!) }),
      )
      .catch(() => {})
  }, GLANCE_MS)
}
