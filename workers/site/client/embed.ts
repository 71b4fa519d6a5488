/** The card for other sites reloads with every cycle of the service. */
setTimeout(() => location.reload(), 300_000)
