/* The chart of a page: its code, library and data are fetched when the chart comes into view. */
const place = document.querySelector('[data-chart]')

if (place) {
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      seen.disconnect()
      import('./chart/main.js').then(({ start }) => start(place)).catch(showFailure)
    },
    { rootMargin: '100px' },
  )
  seen.observe(place)
}

function showFailure() {
  place.textContent = 'No pudimos traer el gráfico. Volvé a cargar la página para probar de nuevo.'
}
