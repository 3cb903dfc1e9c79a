import { describe, expect, test } from '@jest/globals'
import { challenge, continuation, DEVICE } from '../support/bank.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { titlesIn } from '../support/temporal.ts'

describe('a card that wants its holder to authenticate', () => {
  const stack = stackForFile()

  const begin = async (number: string, fields: object = {}) => {
    const [{ id: invoiceId }, { id: source }] = await Promise.all([stack.createInvoice(), stack.createCard({ number })])
    const call = (more: object) =>
      stack.post(`/invoices/${invoiceId}/authorize`, { source, enable_three_d_s_2: true, ...fields, ...more })
    return { invoiceId: String(invoiceId), source: String(source), call, answer: await call({}) }
  }

  test('is authorized after a challenge, with the liability shifted', async () => {
    const { invoiceId, call, answer } = await begin('4000000000000101')
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        outcome: 'pending',
        transaction: { status: 'waiting' },
        customer_action: { type: 'redirect', metadata: null },
      },
    })
    const source = await challenge(answer.body.customer_action.value, '1234')
    expect(await call({ source })).toMatchObject({
      status: 200,
      body: {
        outcome: 'success',
        transaction: { status: 'authorized', three_d_s_status: 'authenticated', liability_shift: true },
      },
    })
    expect((await stack.gatewayRequests(invoiceId)).filter(({ type }) => type === 'authorization')).toHaveLength(1)
  })

  test('goes on once with an answer that comes twenty times at once', async () => {
    const { invoiceId, call, answer } = await begin('4000000000000101', { authorize_only: false })
    const source = await challenge(answer.body.customer_action.value, '1234')
    const answers = await Promise.all(Array.from({ length: 20 }, () => call({ source })))
    for (const { status, body } of answers) {
      expect([200, 409]).toContain(status)
      if (status === 200) expect(['success', 'pending']).toContain(body.outcome)
    }
    const transaction = await stack.waitFor(async () => {
      const { body } = await stack.get(`/invoices/${invoiceId}?expand=transaction.operations`)
      return body.invoice.transaction.status === 'completed' && body.invoice.transaction
    })
    expect((await stack.gatewayRequests(invoiceId)).map(({ type }) => type)).toEqual(['authorization', 'capture'])
    const checks = transaction.operations.filter(({ type }: { type: string }) => type === 'three_d_s_check')
    expect(checks).toHaveLength(2)
  })

  test('is told the same step where a client calls again before its customer is back, however often', async () => {
    const { call, answer } = await begin('4000000000000101')
    const step = answer.body.customer_action
    for (let times = 0; times < 6; times += 1)
      expect(await call({ source: continuation({ url: step.value }) })).toMatchObject({
        status: 200,
        body: { outcome: 'pending', customer_action: step },
      })
    expect(await call({ source: await challenge(step.value, '1234') })).toMatchObject({
      body: { transaction: { status: 'authorized' } },
    })
  })

  test('is told its state when the first call comes again, although its instant has passed at the bank', async () => {
    const autoCaptureAt = new Date(Date.now() + 60_000).toISOString()
    const { invoiceId, call, answer } = await begin('4000000000003246', { auto_capture_at: autoCaptureAt })
    const step = answer.body.customer_action
    expect(step.type).toBe('url')
    await stack.post(`/invoices/${invoiceId}/clock/advance`, { seconds: 120 })
    const source = await challenge(step.value, '1234')
    const paid = { status: 200, body: { transaction: { status: 'completed', captured_amount: '29.00' } } }
    expect(await call({ source })).toMatchObject(paid)
    // As a shop does that sends the first source after the step, when a notification has been faster than the browser.
    expect(await call({})).toMatchObject(paid)
    expect((await stack.gatewayRequests(invoiceId)).map(({ type }) => type)).toEqual(['authorization', 'capture'])
  })

  test('is told the step that followed when a step is answered again, as after a lost connection', async () => {
    const { invoiceId, call, answer } = await begin('4000000000003220')
    const { type, value } = answer.body.customer_action
    expect(type).toBe('fingerprint')
    const source = continuation({ url: value, body: 'threeDSMethodData={"threeDS2FingerprintTimeout":true}' })
    const { body } = await call({ source })
    expect(body.customer_action.type).toBe('redirect')
    expect(await call({ source })).toMatchObject({ status: 200, body: { customer_action: body.customer_action } })
    expect(await call({ source: await challenge(body.customer_action.value, '1234') })).toMatchObject({
      body: { transaction: { status: 'authorized' } },
    })
    expect(await call({ source })).toMatchObject({ status: 200, body: { transaction: { status: 'authorized' } } })
    expect((await stack.gatewayRequests(invoiceId)).filter((one) => one.type === 'authorization')).toHaveLength(1)
  })

  test('begins no other payment with an instant that has passed', async () => {
    const { call, answer } = await begin('4000000000003246')
    await call({ source: continuation({ url: answer.body.customer_action.value, body: 'canceled=true' }) })
    const auto_capture_at = new Date(Date.now() - 1_000).toISOString()
    expect(await call({ auto_capture_at })).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-date' },
    })
  })

  test('is authenticated before the payment, which the call that follows finds', async () => {
    const [{ id }, card] = await Promise.all([
      stack.createInvoice(),
      stack.createCard({ number: '4000000000000101' }).then(({ id: cardId }) => cardId),
    ])
    const authenticate = (from: string) =>
      stack.post(`/invoices/${id}/three-d-s`, { source: from, enable_three_d_s_2: true, authorize_only: false })
    const asked = await authenticate(card)
    const back = await challenge(asked.body.customer_action.value, '1234')
    const authenticated = await authenticate(back)
    expect(authenticated).toMatchObject({
      status: 200,
      body: {
        success: true,
        outcome: 'success',
        transaction: { status: 'authorized', three_d_s_status: 'authenticated' },
      },
    })
    expect(authenticated.body).not.toHaveProperty('customer_action')
    expect(await stack.post(`/invoices/${id}/capture`, { source: card })).toMatchObject({
      status: 200,
      body: { transaction: { status: 'completed', captured_amount: '29.00' } },
    })
    expect((await stack.gatewayRequests(id)).map(({ type }) => type)).toEqual(['authorization', 'capture'])
  })

  test('an app on its own is told what its native library needs', async () => {
    const app = { device: { channel: 'android' }, return_url: 'com.example.shop://pay/return' }
    const [{ id: invoiceId }, { id: source }] = await Promise.all([
      stack.createInvoice(app),
      stack.createCard({ number: '4000000000000101' }),
    ])
    const call = (from: string) =>
      stack.post(`/invoices/${invoiceId}/authorize`, { source: from, enable_three_d_s_2: true })
    const asked = (await call(source)).body.customer_action
    expect(asked).toMatchObject({ type: 'fingerprint-mobile', metadata: null })
    const configuration = JSON.parse(Buffer.from(asked.value, 'base64').toString())
    expect(configuration).toMatchObject({ directoryServerID: 'A000000003', messageVersion: '2.2.0', scheme: 'visa' })
    const challenged = (await call(continuation({ body: JSON.stringify(DEVICE) }))).body.customer_action
    expect(challenged.type).toBe('challenge-mobile')
    expect(JSON.parse(Buffer.from(challenged.value, 'base64').toString())).toMatchObject({
      acsTransID: expect.any(String),
      acsSignedContent: expect.any(String),
      threeDSServerTransID: configuration.threeDSServerTransID,
    })
    // As after a lost connection.
    const again = continuation({ body: JSON.stringify(DEVICE) })
    expect(await call(again)).toMatchObject({ status: 200, body: { customer_action: challenged } })
    expect(await call(continuation({ body: '{"transStatus":"Y"}' }))).toMatchObject({
      status: 200,
      body: { transaction: { status: 'authorized', three_d_s_status: 'authenticated' } },
    })
    expect(await call(again)).toMatchObject({ status: 200, body: { transaction: { status: 'authorized' } } })
    expect(JSON.stringify(await stack.history(invoiceId))).not.toContain(DEVICE.sdkEncData)
    expect(stack.log.text()).not.toContain(DEVICE.sdkEncData)
  })

  test('reads in the history and in the details of the workflow what it waits for', async () => {
    const { invoiceId } = await begin('4000000000000101')
    const summaries = await stack.waitFor(async () => {
      const found = titlesIn(await stack.history(invoiceId), 'TIMER_STARTED')
      return found.length > 0 && found
    })
    expect(summaries).toEqual(['until the 3-D Secure authentication times out'])
    const handle = stack.temporal.workflow.getHandle(`payment-${invoiceId}`)
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')
    expect(currentDetails).toContain('Waits for the customer to authenticate with 3-D Secure, until')
  })
})
