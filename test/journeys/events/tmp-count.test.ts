import { afterAll, beforeAll, test } from '@jest/globals'
import { makeStack, type Stack } from '../../support/stack.ts'
let stack: Stack
beforeAll(async () => { stack = await makeStack({ mode: 'together' }) })
afterAll(() => stack.stop())
test('count', async () => {
  const connection = stack.database.orm.em.getConnection()
  const { execute } = connection
  let log: string[] = []
  connection.execute = ((...s: Parameters<typeof execute>) => { log.push(String(s[0]).replace(/\s+/g,' ').slice(0,70)); return execute.apply(connection, s) }) as typeof execute
  const run = async (name: string, invoice: object, source: () => Promise<string>) => {
    const { id } = await stack.createInvoice(invoice)
    const src = await source()
    for (const verb of ['authorize','capture']) {
      log = []
      const t = performance.now()
      await stack.post(`/invoices/${id}/${verb}`, verb === 'authorize' ? { source: src } : {})
      const all = log.filter((s) => !/simulator|api_request/.test(s))
      console.log(name, verb, all.length, Math.round(performance.now()-t), all.filter(s=>/to_jsonb/.test(s)).length, process.env.SHOW ? all.join('\n') : '')
    }
  }
  const card = async () => (await stack.createCard()).id
  for (let i=0;i<3;i++) await run('plain', {}, card)
  const { customer } = (await stack.post('/customers', { email: 'a@b.example' })).body
  await run('customer', { customer_id: customer.id }, card)
  const { token } = (await stack.post(`/customers/${customer.id}/tokens`, { source: await card() })).body
  await run('token', { customer_id: customer.id }, async () => token.id)
  await run('token', { customer_id: customer.id }, async () => token.id)
})
