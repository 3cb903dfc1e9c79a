import { describe, expect, test } from '@jest/globals'
import { ApiRequestEntity } from '../../src/persistence/entities/api-request.ts'
import { stackForFile } from '../support/stack-for-file.ts'

describe('an authentication that the merchant has made elsewhere', () => {
  const stack = stackForFile()

  const CAVV = 'AJkBBkhgQQAAAE4gSEJydQAAAAA='
  const XID = 'MDAwMDAwMDAwMDEyMzQ2Njc4OTA='
  const EXTERNAL = {
    version: '1.0.2',
    trans_status: 'Y',
    eci: '5',
    cavv: CAVV,
    xid: XID,
    authentication_flow: 'CHALLENGE',
  }

  test('is handed to the gateway, shifts the liability, and leaves its proof nowhere', async () => {
    const [{ id }, { id: source }] = await Promise.all([
      stack.createInvoice(),
      stack.createCard({ number: '4000000000000101' }),
    ])
    const request = { source, external_three_d_s: EXTERNAL }
    const headers = { 'X-Request-Id': `external-${id}` }
    expect(await stack.post(`/invoices/${id}/authorize`, request, { headers })).toMatchObject({
      status: 200,
      body: {
        transaction: {
          status: 'authorized',
          three_d_s_status: 'authenticated',
          three_d_s_version: '1.0.2',
          eci: '05',
          liability_shift: true,
        },
      },
    })
    const em = stack.database.orm.em.fork()
    await stack.waitFor(async () => (await em.count(ApiRequestEntity, { requestId: headers['X-Request-Id'] })) === 1)
    const history = JSON.stringify(await stack.history(id))
    for (const proof of [CAVV, XID])
      for (const form of [proof, Buffer.from(proof).toString('base64')])
        for (const trace of [await stack.database.dump(), history, stack.log.text()])
          expect(trace.includes(form)).toBe(false)
  })
})
