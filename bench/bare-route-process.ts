/**
 * What a `GET` is measured beside: Koa with a router, and one statement that reads the row of the address. Nobody is
 * authenticated or counted here, and nothing is logged.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Router } from '@koa/router'
import Koa from 'koa'
import { createOrm } from '../src/persistence/orm.ts'

process.on('disconnect', () => process.exit())

// The driver's own pool and a statement that is planned once: nothing is cheaper.
const orm = await createOrm({ databaseUrl: process.argv[2] as string })
const pool = await orm.driver.getConnection().getNativeClient()
const router = new Router()
for (const table of ['invoice', 'transaction']) {
  router.get(`/${table}s/:id`, async (ctx) => {
    const text = `select * from ${table} where id = $1`
    const { rows } = await pool.query({ name: table, text, values: [ctx.params.id] })
    ctx.body = { success: true, [table]: rows[0] }
  })
}
const handle = new Koa().use(router.routes()).callback()
const server = createServer((request, response) => void handle(request, response))
server.listen({ host: '127.0.0.1', port: 0 })
await once(server, 'listening')
process.send?.({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
