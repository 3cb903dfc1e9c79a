/** The bare route, in a process of its own as the API may have one; ends with the process that started it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Router } from '@koa/router'
import Koa from 'koa'
import { createOrm } from '../../src/persistence/orm.ts'

process.on('disconnect', () => process.exit())

const orm = await createOrm({ databaseUrl: process.argv[2] as string })
// The driver's own pool and a statement that is planned once: nothing is cheaper.
const pool = await orm.driver.getConnection().getNativeClient()
const router = new Router()
for (const [plural, table] of [
  ['invoices', 'invoice'],
  ['transactions', 'transaction'],
] as const) {
  router.get(`/${plural}/:id`, async (ctx) => {
    const text = `select * from ${table} where id = $1`
    const { rows } = await pool.query({ name: table, text, values: [ctx.params.id] })
    ctx.body = { success: true, [table]: rows[0] }
  })
}
const app = new Koa()
app.use(router.routes())
const handle = app.callback()
const server = createServer((request, response) => void handle(request, response))
server.listen({ host: '127.0.0.1', port: 0 })
await once(server, 'listening')
process.send?.({ port: (server.address() as AddressInfo).port })
