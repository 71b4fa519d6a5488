/** The card for other sites reads itself again with every cycle of the service. */
setTimeout(() => location.reload(), 300_000)
