import { describe, expect, test } from '@jest/globals'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { type FilledProject, makeFilledProjects, unknownId } from '../http/filled-projects.ts'
import { forFile } from '../support/for-file.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'
import { stackForFile } from '../support/stack-for-file.ts'

// Whether a source is the project's is found out by the payment itself.
describe('a source of somebody else', () => {
  const stack = stackForFile()
  const projects = forFile(async () => makeFilledProjects(stack.database))
  const client = forFile(async () => clientOf(projects.mine))
  /** Made over the interface, so that they could be charged; those of `projects` have no number. */
  const own = forFile(async () => sourcesOf(client))
  const theirs = forFile(async () => sourcesOf(clientOf(projects.other)))

  const clientOf = ({ projectId, secretKey }: FilledProject) =>
    createHttpClient(stack.baseUrl, { username: projectId, password: secretKey })

  async function sourcesOf(merchant: HttpClient): Promise<Record<string, string>> {
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2030 }
    const newCard = async () => (await merchant.post('/cards', card)).body.card.id
    const customer: string = (await merchant.post('/customers', {})).body.customer.id
    const stored = await merchant.post(`/customers/${customer}/tokens`, { source: await newCard(), set_default: true })
    return { card: await newCard(), token: stored.body.token.id, customer }
  }

  async function ask(verb: string, source: string): Promise<{ invoiceId: string; text: string; status: number }> {
    const { body: created } = await client.post('/invoices', { name: 'A', amount: '1.00', currency: 'EUR' })
    const invoiceId: string = created.invoice.id
    const answer = await client.post(`/invoices/${invoiceId}/${verb}`, { source })
    const { request_id: _, request_log_url: __, ...body } = answer.body
    const text = JSON.stringify([answer.status, body]).replaceAll(source, '<the source>')
    return { invoiceId, text, status: answer.status }
  }

  test.each([
    ['authorize', 'card'],
    ['authorize', 'token'],
    ['authorize', 'customer'],
    ['capture', 'card'],
  ] as const)('%s with a %s is refused as one that nobody has, and asks no gateway', async (verb, kind) => {
    const nobodys = await ask(verb, unknownId(kind))
    expect(nobodys.status).toBeLessThan(500)
    expect(nobodys.text).toContain('"success":false')
    const foreign = [theirs[kind] ?? '', projects.mineLive.id(kind), projects.otherLive.id(kind)]
    for (const source of foreign) {
      const { invoiceId, text } = await ask(verb, source)
      expect([source, text]).toEqual([source, nobodys.text])
      expect(await stack.gatewayRequests(invoiceId)).toEqual([])
      expect(await stack.database.orm.em.fork().count(TransactionEntity, { invoiceId })).toBe(0)
    }
    expect((await ask(verb, own[kind] ?? '')).status).toBe(200)
    // Its owner has lost nothing by it.
    if (kind === 'card') own.card = (await sourcesOf(client)).card ?? ''
  })
})
