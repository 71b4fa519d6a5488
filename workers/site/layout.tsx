import type { MiddlewareHandler } from 'hono'
import { html } from 'hono/html'
import { type Child, createContext, useContext } from 'hono/jsx'
import type { Instant } from '../../shared/argentine-time.ts'
import assets from './assets.json' with { type: 'json' }
import type { SignedIn, SiteContext } from './context.ts'

/** The session of the rendered page, for its header and the tokens of forms; null without one. */
export const Session = createContext<SignedIn | null>(null)

/** The origin of each page's canonical address. */
export const Origin = createContext('')

/** The instant for which a page is rendered. */
export const Now = createContext<Instant>(0)

/** Renders pages with their canonical origin and the time. */
export const renderPages: MiddlewareHandler<SiteContext> = (c, next) => {
  c.setRenderer((page) =>
    c.html(
      <Origin.Provider value={c.var.canonicalOrigin}>
        <Now.Provider value={c.var.now()}>{page}</Now.Provider>
      </Origin.Provider>,
    ),
  )
  return next()
}

export interface LayoutProps {
  title: string
  /** The script that enhances the page. The page also works without it. */
  script?: ScriptName | undefined
  /** The text for search engines and previews. */
  description?: string
  /** The path of the page's canonical address. */
  path?: string
  /** Further elements of the head. */
  head?: Child
  children: Child
}

/** The scripts of pages, in workers/site/client. */
export type ScriptName = 'account' | 'board' | 'docs' | 'pair'

/** The style sheet, and a script with its imports, by their hashed names. */
function Files({ script }: { script?: ScriptName | undefined }) {
  const [entry, ...parts] = script ? assets[`${script}.ts`] : []
  return (
    <>
      <link rel="stylesheet" href={assets['style.css'][0]} />
      {entry && <script type="module" src={entry}></script>}
      {parts.map((part) => (
        <link rel="modulepreload" href={part} />
      ))}
    </>
  )
}

interface DocumentProps extends Pick<LayoutProps, 'title' | 'script' | 'head' | 'children'> {
  /** The class of the body. */
  class?: string
}

/** An HTML document. JSX escapes its texts. */
export function Document({ title, script, head, class: name, children }: DocumentProps) {
  return html`<!doctype html>${(
      <html lang="es-AR">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{`${title} · Cotizaciones`}</title>
          <link rel="icon" href="/static/icon.svg" type="image/svg+xml" />
          <Files script={script} />
          {head}
        </head>
        <body class={name}>{children}</body>
      </html>
    )}`
}

/** The frame of our own pages: head, header, main, footer. */
export function Layout({ title, script, description, path, head, children }: LayoutProps) {
  return (
    <Document
      title={title}
      script={script}
      head={
        <>
          {description && <meta name="description" content={description} />}
          {path && <link rel="canonical" href={useContext(Origin) + path} />}
          {head}
        </>
      }
    >
      <a class="skip" href="#contenido">
        Saltar al contenido
      </a>
      <SiteHeader inAccount={title === 'Tu cuenta'} />
      <main id="contenido" class="wrap" tabindex={-1}>
        {children}
      </main>
      <footer class="site-footer">
        <div class="wrap">
          <p>Cotizaciones del mercado argentino, en el momento y a cualquier fecha.</p>
          <nav aria-label="Más páginas">
            <a href="/brecha">Brecha cambiaria</a>
            <a href="/facturacion">Dólar para facturar</a>
            <a href="/docs/planillas">Planillas</a>
            <a href="/calendario">Feriados</a>
          </nav>
        </div>
      </footer>
    </Document>
  )
}

interface CardPageProps extends Pick<LayoutProps, 'title' | 'script'> {
  size?: 'narrow' | 'medium'
  role?: 'status'
  children?: Child
}

/** A page of one card. */
export function CardPage(props: CardPageProps) {
  const { title, size = 'narrow', role, children, ...layout } = props
  return (
    <Layout title={title} {...layout}>
      <section class={`card ${size}`} role={role}>
        <h1>{title}</h1>
        {children}
      </section>
    </Layout>
  )
}

interface CardProps {
  id?: string
  title: Child
  /** Beside the title. */
  aside?: Child
  class?: string
  children: Child
}

/** A part of a page, under its heading. */
export function Card({ id, title, aside, class: name, children }: CardProps) {
  return (
    <section class={name ? `card ${name}` : 'card'} aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {aside && <div class="count">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

/** A table of figures under its heading; a wide table scrolls inside. */
export function Panel({ id, title, children }: { id: string; title: Child; children: Child }) {
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

interface TabsProps {
  /** The accessible name of the navigation. */
  label: string
  links: readonly (readonly [href: string, name: Child])[]
  here: string
}

/** Links to related pages. `here` is the current page. */
export function Tabs({ label, links, here }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {links.map(([href, name]) => (
        <a href={href} aria-current={href === here ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}

function SiteHeader({ inAccount }: { inAccount: boolean }) {
  return (
    <header class="site-header">
      <div class="wrap">
        <a class="brand" href="/">
          <span class="brand-mark" aria-hidden="true">
            $
          </span>
          Cotizaciones
        </a>
        <nav aria-label="Principal">
          <a href="/brecha">Brecha</a>
          <a href="/facturacion">Facturación</a>
          <a href="/docs/planillas">Planillas</a>
          <a href="/docs">Documentación</a>
          <a href="/estado">Estado</a>
          <a href="/cuenta" aria-current={inAccount ? 'page' : undefined}>
            {useContext(Session) ? 'Tu cuenta' : 'Entrar'}
          </a>
        </nav>
      </div>
    </header>
  )
}
