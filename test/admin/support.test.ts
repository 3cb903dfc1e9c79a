import { beforeAll, describe, expect, test } from '@jest/globals'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { receiverForFile } from '../support/receiver-for-file.ts'
import { server } from '../support/servers.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory, DAY_MS } from '../support/story.ts'
import { keyVariables, runHere } from './stage.ts'

const UI = 'https://temporal.example/ui'
const HOUR_MS = 60 * 60 * 1000
const WHY = ['--reason', 'case 17'] as const

const stack = stackForFile({ mode: 'together' })
const story = createStory(stack)
const receiver = receiverForFile()

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: stack.database.url,
    TEMPORAL_ADDRESS: (await server('temporal')).address,
    TEMPORAL_UI_URL: UI,
    PAYLOAD_ENCRYPTION: 'off',
    ...keyVariables(),
  })
})

const em = () => stack.database.orm.em.fork()

/** What staff have done with payments and webhooks, from the audit log, the newest last. */
async function actsOn(id: string): Promise<object[]> {
  const rows = await em().execute<{ kind: string; actor: string; facts: string }[]>(
    "select kind, actor, facts from audit_entry where chain = ? and kind not like '%.row-%' order by position",
    [`project ${stack.project.id}`],
  )
  return rows
    .filter(({ facts }) => facts.includes(id))
    .map(({ facts, ...row }) => ({ ...row, facts: JSON.parse(facts) }))
}

describe('support staff', () => {
  test.each([
    ['payments', 'resolve', 'iv_1', 'tr_op_1', 'declined'],
    ['payments', 'cancel-capture', 'iv_1'],
    ['webhooks', 'resend', 'ev_1'],
  ])('cannot use %s %s without a reason', async (...args) => {
    expect(await runHere(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('--reason TEXT') })
    expect(await runHere(...args, '--reason', ' ')).toMatchObject({ code: 2 })
  })

  test('cancel a scheduled capture: nothing is captured, and the log and the history say who and why', async () => {
    const { invoiceId } = await story.pay({ auto_capture_at: new Date(Date.now() + DAY_MS).toISOString() })
    expect(await runHere('payments', 'cancel-capture', `payment-${invoiceId}`, ...WHY)).toEqual({
      code: 0,
      stdout: `${invoiceId}: the scheduled capture is cancelled.\n`,
      stderr: '',
    })
    expect(await actsOn(invoiceId)).toMatchObject([
      {
        kind: 'payment.capture-cancelled',
        actor: expect.stringMatching(/^operator:./),
        facts: { invoice_id: invoiceId, reason: 'case 17' },
      },
    ])
    await stack.skipTime(invoiceId, 2 * DAY_MS)
    expect(await story.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', captured_amount: '0.00' })
    expect((await stack.gatewayRequests(invoiceId)).map(({ type }) => type)).toEqual(['authorization'])
    expect(JSON.stringify(await stack.history(invoiceId))).toContain(
      Buffer.from('{"summary":"the scheduled capture is cancelled"').toString('base64').slice(0, 60),
    )
    expect(await runHere('payments', 'cancel-capture', invoiceId, ...WHY)).toMatchObject({
      code: 1,
      stderr: `The invoice ${invoiceId} has no scheduled capture.\n`,
    })
  })

  test('read, and their shell sees, that a scheduled capture cannot be cancelled while money is being captured', async () => {
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString()
    const { invoiceId } = await story.pay({ name: 'SANDBOX:capture-never-resolved', auto_capture_at: tomorrow })
    await story.post(invoiceId, 'capture', { capture_amount: '5.00', capture_type: 'non-final' })
    const refused = await runHere('payments', 'cancel-capture', invoiceId, ...WHY)
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`${invoiceId}: refused`) })
    expect(await em().findOneOrFail(TransactionEntity, { invoiceId })).toMatchObject({
      autoCaptureAt: new Date(tomorrow),
    })
  })

  test('resolve an unknown outcome, with their reason in the log and no card number of it', async () => {
    const reason = 'no trace of 4242424242424242'
    const { invoiceId } = await story.pay({ number: '4000000000007023' })
    const row = await em().findOneOrFail(TransactionEntity, { invoiceId })
    const operationId = row.attemptsInFlight[0]?.operationId ?? ''
    // For an hour the gateway is asked by us.
    expect((await runHere('payments', 'attention')).stdout).toBe('No payment needs attention.\n')
    // One statement: the payment's look-ups write the attempt at the same time.
    await em().execute(
      `update transaction set attempts_in_flight = jsonb_set(attempts_in_flight, '{0,begunAt}', ?::jsonb),
              outcome_unknown_since = now() - interval '2 hours' where invoice_id = ?`,
      [String(Date.now() - 2 * HOUR_MS), invoiceId],
    )
    const listed = (await runHere('payments', 'attention')).stdout.replace(/ \(gway_conf_\w+\)/, ' (its account)')
    expect(listed).toContain(
      `${invoiceId} pending at simulator (its account): authorization ${operationId} of EUR 29.00`,
    )
    const resolve = (...outcome: string[]) =>
      runHere('payments', 'resolve', `payment-${invoiceId}`, operationId, ...outcome, '--reason', reason)
    expect(await runHere('payments', 'resolve', invoiceId, 'tr_op_1', 'declined', ...WHY)).toMatchObject({
      code: 1,
      stderr: `The invoice ${invoiceId} has no attempt tr_op_1 whose outcome is unknown.\n`,
    })
    expect(await resolve('perhaps')).toMatchObject({ stderr: 'The outcome is approved or declined.\n' })
    expect(await resolve('approved')).toMatchObject({ stderr: expect.stringContaining('--gateway-operation-id') })
    expect(await resolve('declined')).toMatchObject({ code: 0, stdout: `${operationId} is recorded as declined.\n` })
    await story.becomes(invoiceId, { status: 'failed' })
    const [act] = await actsOn(invoiceId)
    expect(act).toMatchObject({
      kind: 'payment.resolved',
      actor: expect.stringMatching(/^operator:./),
      facts: { operation_id: operationId, outcome: 'declined' },
    })
    expect(JSON.stringify(act)).not.toContain('4242424242424242')
  })

  test('take the mark from a payment whose matter is taken care of, and from no other', async () => {
    const { invoiceId: unknown } = await story.pay({ number: '4000000000007023' })
    const { invoiceId } = await story.pay()
    await em().nativeUpdate(TransactionEntity, { invoiceId }, { needsAttention: true })
    expect(await runHere('payments', 'acknowledge', `payment-${invoiceId}`)).toEqual({
      code: 0,
      stdout: `${invoiceId} no longer needs attention.\n`,
      stderr: '',
    })
    expect(await em().findOneOrFail(TransactionEntity, { invoiceId })).toMatchObject({ needsAttention: false })
    expect(await actsOn(invoiceId)).toMatchObject([
      { kind: 'payment.acknowledged', actor: expect.stringMatching(/^operator:./), facts: { invoice_id: invoiceId } },
    ])
    // One is taken care of by now, and of the other it is the outcome that is not known.
    for (const id of [invoiceId, unknown])
      expect(await runHere('payments', 'acknowledge', id)).toMatchObject({
        code: 1,
        stderr: `No payment of the invoice ${id} needs attention.\n`,
      })
    expect(await actsOn(unknown)).toEqual([])
  })

  test('send a webhook again: it comes once more, and the log says why', async () => {
    await stack.post('/webhook-endpoints', { url: receiver.url })
    await story.pay()
    const [first] = await receiver.waitForCount(1)
    const { event_id: eventId } = JSON.parse(first?.body ?? '{}')
    expect(await runHere('webhooks', 'resend', `webhook-${eventId}`, ...WHY)).toMatchObject({
      code: 0,
      stdout: `${eventId} is sent again, by the workflow webhook-${eventId}-1.\n`,
    })
    expect(await actsOn(eventId)).toMatchObject([{ kind: 'event.resent', facts: { run: 1, reason: 'case 17' } }])
    const [delivery] = await em().execute('select run, status from delivery where event_id = ?', [eventId])
    expect(delivery).toEqual({ run: 1, status: 'pending' })
  })
})

describe('the links for support', () => {
  test('lead to the list of each namespace, with a query that the server takes', async () => {
    const { code, stdout } = await runHere('support', 'links', '--json')
    expect(code).toBe(0)
    const links: { environment: string; name: string; query: string; url: string }[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(links.map(({ environment, name }) => `${environment} ${name}`)).toEqual(
      ['live', 'sandbox'].flatMap((environment) =>
        ['needs-attention', 'expiring', 'failing-webhooks', 'failed-webhooks', 'task-failures'].map(
          (name) => `${environment} ${name}`,
        ),
      ),
    )
    for (const { environment, query, url } of links) {
      expect(url).toBe(`${UI}/namespaces/${environment}/workflows?query=${encodeURIComponent(query)}`)
      await expect(stack.temporal.workflow.count(query)).resolves.toMatchObject({ count: expect.any(Number) })
    }
  })

  test('need the address of the UI', async () => {
    process.env.TEMPORAL_UI_URL = ''
    expect(await runHere('support', 'links')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('TEMPORAL_UI_URL'),
    })
    process.env.TEMPORAL_UI_URL = UI
  })
})
