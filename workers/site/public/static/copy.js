/* Copy buttons: hidden until this runs, because without it they would do nothing. */
for (const button of document.querySelectorAll('[data-copy]')) {
  const id = button.dataset.copy
  const source = document.getElementById(id)
  const message = document.querySelector(`[data-copied="${id}"]`)
  button.hidden = false
  button.addEventListener('click', async () => {
    message.textContent = ''
    try {
      await navigator.clipboard.writeText(source.textContent)
      message.textContent = 'Copiado'
    } catch {
      getSelection().selectAllChildren(source)
      message.textContent = 'Seleccionado: copialo con Ctrl + C'
    }
  })
}
