// The same Hono route on Node, for reference: `node hono-on-node.js PORT`.
import { serve } from '@hono/node-server'
import app from './hono.js'

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.argv[2]) })
