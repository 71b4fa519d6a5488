import { Layout } from '../layout.tsx'
import { DocsNav } from './docs-nav.tsx'

/** The reference with its try-it; Scalar is loaded here and nowhere else. */
export function ScalarPage({ origin }: { origin: string }) {
  return (
    <Layout
      title="Documentación de la API"
      description="La referencia de la API de cotizaciones, para leer y probar."
      canonical={`${origin}/docs`}
      base="docs-frame.css"
      styles={['docs.css']}
      scripts={['docs.js']}
      head={<link rel="alternate" type="text/markdown" href="/docs.md" />}
    >
      <DocsNav current="/docs" />
      <h1 class="visually-hidden">Documentación de la API</h1>
      <div id="referencia" class="reference">
        <p class="notice" data-loading>
          Cargando la referencia. También se puede leer{' '}
          <a href="/docs/referencia">en una página simple</a>, sin JavaScript.
        </p>
      </div>
    </Layout>
  )
}
