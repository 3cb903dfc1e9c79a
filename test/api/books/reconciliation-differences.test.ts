import { beforeAll, describe, expect, test } from '@jest/globals'
import { ReconciliationEntity } from '../../../src/persistence/entities/reconciliation.ts'
import { ReconciliationDifferenceEntity } from '../../../src/persistence/entities/reconciliation-difference.ts'
import { interfaceForFile } from '../../http/interface.ts'
import { DIFFERENCE, RECONCILIATION, rowWriter } from '../../http/row-writer.ts'
import { holdLock } from '../../support/held-lock.ts'
import { waitFor } from '../../support/wait-for.ts'

const api = interfaceForFile()
const post = (id: string, body: object) => api.merchant.client.post(`/reconciliation-differences/${id}/resolve`, body)
const get = (path: string) => api.merchant.client.get(path)

beforeAll(async () => {
  const rows = await rowWriter(api, api.merchant)
  const account = { gatewayConfigurationId: rows.gatewayConfigurationId }
  await rows.insert(ReconciliationEntity, { ...RECONCILIATION, ...account, id: 'rec_1' })
  for (const id of ['rec_diff_1', 'rec_diff_2', 'rec_diff_3'])
    await rows.insert(ReconciliationDifferenceEntity, {
      ...DIFFERENCE,
      ...account,
      id,
      reconciliationId: 'rec_1',
      lineId: id,
    })
})

describe('a difference', () => {
  test.each([
    ['without a reason', {}, 'reason is missing.'],
    ['with a blank reason', { reason: ' ' }, 'reason is missing.'],
    ['with a reason that is too long', { reason: 'x'.repeat(501) }, 'reason must have 500 characters at most.'],
    ['with a field that it has not', { reason: 'A fee.', status: 'open' }, 'status is not a field of this request.'],
  ])('%s is not resolved', async (_, body, message) => {
    expect(await post('rec_diff_1', body)).toMatchObject({ status: 400, body: { message } })
    expect(await get('/reconciliation-differences/rec_diff_1')).toMatchObject({
      body: { reconciliation_difference: { status: 'open', resolved_at: null, resolved_by: null, resolution: null } },
    })
  })

  test('is resolved by whoever says why, which the audit log keeps without the reason', async () => {
    const { body } = await post('rec_diff_2', { reason: 'Booked by hand.' })
    expect(body.reconciliation_difference).toMatchObject({
      id: 'rec_diff_2',
      status: 'resolved',
      resolved_at: api.clock.now().toISOString(),
      resolved_by: expect.stringMatching(/^api_key:key_/),
      resolution: 'Booked by hand.',
      ours: { amount: '29.00', currency: 'EUR', state: 'succeeded', operation_id: null },
      gateways: { amount: '28.99', currency: 'EUR', state: 'booked', line_id: 'rec_diff_2' },
    })
    expect(await get('/reconciliation-differences/rec_diff_2')).toMatchObject({ body })
    const [act] = await api.database.orm.em
      .fork()
      .execute<{ actor: string; facts: string }[]>(
        "select actor, facts from audit_entry where kind = 'reconciliation-difference.resolved'",
      )
    expect(act?.actor).toBe(body.reconciliation_difference.resolved_by)
    expect(JSON.parse(String(act?.facts))).toEqual({
      reconciliation_difference_id: 'rec_diff_2',
      reconciliation_id: 'rec_1',
      kind: 'amount',
    })
  })

  test('is resolved once, by the first of two', async () => {
    const lock = await holdLock(api.database, 'select from reconciliation_difference where id = ? for update', [
      'rec_diff_3',
    ])
    const resolving = [1, 2].map((n) => post('rec_diff_3', { reason: `By ${n}.` }))
    // Both have come by then, and none of them has seen what the other one does.
    await waitFor(async () => (await lock.countWaiting()) === 2)
    await lock.release()
    const answers = await Promise.all(resolving)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 400)).toMatchObject({
      body: { error_type: 'request.validation.invalid-state', message: expect.stringMatching(/resolved by api_key:/) },
    })
  })
})
