import { Hono } from 'hono'
import { readFiles } from '../../../shared/board/archive.ts'
import type { SiteContext } from '../context.ts'
import { GuidePage } from '../reference/guide-page.tsx'
import { toMarkdown } from '../reference/to-markdown.ts'
import { archivePage } from './archive-page.ts'

const CACHE = { 'Cache-Control': 'public, max-age=60' }

/** `/datos`: what there is to download. The files themselves are the edge's. */
export function archiveRoutes() {
  return new Hono<SiteContext>()
    .get('/datos', async (c) => {
      const page = archivePage(c.var.origin, await readFiles(c.env.BOARD))
      return c.html(<GuidePage page={page} origin={c.var.origin} />, 200, CACHE)
    })
    .get('/datos.md', async (c) => {
      const page = archivePage(c.var.origin, await readFiles(c.env.BOARD))
      return c.body(toMarkdown(page), 200, {
        ...CACHE,
        'Content-Type': 'text/markdown; charset=utf-8',
      })
    })
}
