import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Dispute } from '../../domain/dispute.ts'
import { disputesAnswer, openDisputesAnswer } from '../../src/dashboard/contract.ts'
import { interfaceForFile } from '../http/interface.ts'
import { rowWriter } from '../http/row-writer.ts'
import { forFile } from '../support/for-file.ts'
import { signedInAs } from './browser.ts'

const api = interfaceForFile()
const person = forFile(async () => signedInAs(api, 'support'))
const rows = forFile(async () => rowWriter(api, api.merchant))

const DAY_MS = 24 * 3_600_000
const inDays = (days: number) => new Date(api.clock.now().getTime() + days * DAY_MS)

/** A payment with one dispute, reported so many days ago. */
async function disputed(name: string, dispute: Partial<Dispute>, { ago, due }: { ago: number; due: number | null }) {
  const told = { id: name, status: 'open', amountMinor: 2900, reason: 'fraudulent', ...dispute } as const
  const evidenceDueAt = due === null ? null : inDays(due)
  const isOpen = (told.status === 'open' || told.status === 'inquiry') && told.isAnswered !== true
  await rows.invoice(`iv_${name}`, { orderId: name })
  await rows.transaction(`tr_${name}`, `iv_${name}`, {
    ...{ status: 'chargeback-initiated', capturedMinor: 2900, customerId: 'cust_Ada', disputedAt: inDays(-ago) },
    ...{ disputesOpen: isOpen ? 1 : 0, evidenceDueAt: isOpen ? evidenceDueAt : null },
    disputes: [{ ...told, evidenceDueAt: evidenceDueAt?.getTime() ?? null, reportedAt: inDays(-ago).getTime() }],
  })
}

beforeAll(async () => {
  await rows.customer('cust_Ada', { firstName: 'Ada', lastName: 'Lovelace' })
  await disputed('Later', {}, { ago: 1, due: 6 })
  await disputed('Over', {}, { ago: 9, due: -1 })
  await disputed('Untold', { status: 'inquiry' }, { ago: 3, due: null })
  await disputed('Soon', { amountMinor: 500 }, { ago: 4, due: 1 })
  await disputed('Won', { status: 'won' }, { ago: 2, due: null })
  await disputed('Answered', { isAnswered: true }, { ago: 5, due: 2 })
})

const listed = async (query = '') => disputesAnswer.parse((await person.get(`/dashboard/disputes${query}`)).body)

describe('disputes', () => {
  test.each([
    ['that are open come by the time that is left to answer', '', ['Soon', 'Later', 'Untold', 'Over']],
    ['that are passed over are left out', '?start_after=3', ['Over']],
    ['come all, the last reported first', '?state=all', ['Later', 'Won', 'Untold', 'Soon', 'Answered', 'Over']],
  ])('%s', async (_, query, expected) => {
    expect((await listed(query)).disputes.map(({ order_id }) => order_id)).toEqual(expected)
  })

  test('that are due before an instant, and not over, are asked for', async () => {
    const { disputes } = await listed(`?due_before=${inDays(2).toISOString()}`)
    expect(disputes.map(({ order_id }) => order_id)).toEqual(['Soon'])
  })

  test('tell what must be answered, about which payment, and until when', async () => {
    const { disputes, next } = await listed()
    expect(next).toBeNull()
    expect(disputes[0]).toEqual({
      ...{
        status: 'open',
        is_answered: false,
        is_answerable: true,
        amount: '5.00',
        currency: 'EUR',
        reason: 'fraudulent',
      },
      ...{ evidence_due_at: inDays(1).toISOString(), reported_at: inDays(-4).toISOString() },
      ...{ invoice_id: 'iv_Soon', order_id: 'Soon', customer_id: 'cust_Ada', customer_name: 'Ada Lovelace' },
      ...{ name: expect.any(String), gateway_name: 'simulator' },
    })
  })

  test('that are answered wait for the issuer, and nobody is asked for them', async () => {
    const { disputes } = await listed('?state=all')
    expect(disputes.find(({ order_id }) => order_id === 'Answered')).toMatchObject({
      ...{ status: 'open', is_answered: true, is_answerable: false },
    })
  })

  test('are counted: those that can be answered, and those whose time is over', async () => {
    const { body } = await person.get('/dashboard/disputes/open')
    const soonest = inDays(1).toISOString()
    expect(openDisputesAnswer.parse(body)).toMatchObject({ to_answer: 3, overdue: 1, first_due_at: soonest })
  })

  test('of another project, or environment, are not shown', async () => {
    const other = await api.makeMerchant({ sandbox: true })
    const stranger = await signedInAs(api, 'owner', other.projectId)
    expect(disputesAnswer.parse((await stranger.get('/dashboard/disputes?state=all')).body).disputes).toEqual([])
    expect((await stranger.get('/dashboard/disputes/open')).body).toMatchObject({ to_answer: 0, overdue: 0 })
  })

  test.each(['?state=lost', '?start_after=-1', '?colour=red'])('a wrong question is refused: %s', async (query) => {
    expect((await person.get(`/dashboard/disputes${query}`)).status).toBe(400)
  })
})
