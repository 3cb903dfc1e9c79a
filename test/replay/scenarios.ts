import { signResolution } from '../../domain/command-signature.ts'
import { createPaymentResyncer } from '../../src/temporal/client.ts'
import { createResyncSignal } from '../../src/temporal/resync-signal.ts'
import { paymentWorkflowId, webhookWorkflowId } from '../../src/temporal/workflow-ids.ts'
import type { paymentWorkflow } from '../../workflows/payment.ts'
import { challenge } from '../support/bank.ts'
import { makeReceiver, type Receiver, type ReceiverAnswer } from '../support/receiver.ts'
import type { Stack, StackOptions } from '../support/stack.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The card whose issuer does not honor the payment, from the simulator's list of test cards. */
const DECLINED = { number: '4000000000002180' }

/** Makes one payment or webhook on a running stack; gives the id of the invoice or event whose workflow is recorded. */
export type Scenario = (stack: Stack) => Promise<string>

/**
 * The scenarios whose histories are kept. Between them they use every activity and timer that our workflows have; a
 * workflow that learns a new step gets a new scenario.
 */
export const SCENARIOS: Readonly<Record<string, { modes: readonly StackOptions['mode'][]; run: Scenario }>> = {
  'authorized-then-captured': payment({}, async (stack, invoiceId) => {
    await succeed(stack, `/invoices/${invoiceId}/capture`)
  }),

  'authorize-declined': inBothModes(async (stack) => {
    const [{ id }, card] = await Promise.all([stack.createInvoice(), stack.createCard(DECLINED)])
    const { status } = await stack.post(`/invoices/${id}/authorize`, { source: card.id })
    if (status !== 410) throw new Error(`The declined authorization answered ${status}.`)
    return closed(stack, id)
  }),

  sale: payment({ authorize: { authorize_only: false } }),

  'auto-captured': inBothModes(async (stack) => {
    const autoCaptureAt = new Date(stack.clock.now().getTime() + 3 * DAY_MS).toISOString()
    const { invoiceId } = await stack.payInvoice({
      authorize: { auto_capture_at: autoCaptureAt, capture_amount: '20.00' },
    })
    await stack.skipTime(invoiceId, 4 * DAY_MS)
    return closed(stack, invoiceId)
  }),

  'capture-rescheduled': inBothModes(async (stack) => {
    const inDays = (days: number) => new Date(stack.clock.now().getTime() + days * DAY_MS).toISOString()
    const { invoiceId } = await stack.payInvoice({ authorize: { auto_capture_at: inDays(2) } })
    await succeed(stack, `/invoices/${invoiceId}/capture`, { auto_capture_at: inDays(1) })
    await stack.skipTime(invoiceId, 3 * DAY_MS)
    return closed(stack, invoiceId)
  }),

  expired: payment({}, async (stack, invoiceId) => {
    await stack.skipTime(invoiceId, 8 * DAY_MS)
  }),

  incremented: payment({ authorize: { incremental: true } }, async (stack, invoiceId) => {
    for (const amount of ['5.00', '2.50']) {
      await succeed(stack, `/invoices/${invoiceId}/increment_authorization`, { amount })
    }
    await succeed(stack, `/invoices/${invoiceId}/capture`)
  }),

  voided: payment({}, async (stack, invoiceId) => {
    await succeed(stack, `/invoices/${invoiceId}/void`, { amount: '9.00' })
    await succeed(stack, `/invoices/${invoiceId}/void`)
  }),

  // In the Temporal UI, which voids it.
  cancelled: payment({}, async (stack, invoiceId) => {
    await cancel(stack, invoiceId)
  }),

  'cancelled-in-vain': payment({}, async (stack, invoiceId) => {
    await succeed(stack, `/invoices/${invoiceId}/capture`, { capture_amount: '10.00', capture_type: 'non-final' })
    await cancel(stack, invoiceId)
    await succeed(stack, `/invoices/${invoiceId}/capture`, { capture_amount: '19.00' })
  }),

  'outcome-unknown': inBothModes(async (stack) => {
    // The simulator loses its answer and, looked up, says that it has approved.
    const { invoiceId } = await stack.payInvoice({ card: { number: '4000000000007007' } })
    await stack.waitFor(async () => {
      const { body } = await stack.get(`/invoices/${invoiceId}`)
      const { transaction } = (await stack.get(`/transactions/${body.invoice.transaction_id}`)).body
      return transaction.status === 'authorized'
    })
    await succeed(stack, `/invoices/${invoiceId}/void`)
    return closed(stack, invoiceId)
  }),

  'captured-in-parts': payment({}, async (stack, invoiceId) => {
    await succeed(stack, `/invoices/${invoiceId}/capture`, { capture_amount: '10.00', capture_type: 'non-final' })
    await stack.skipTime(invoiceId, 8 * DAY_MS)
  }),

  'scheduled-capture-tried-again': inBothModes(async (stack) => {
    const { invoiceId } = await stack.payInvoice({
      card: { name: 'SANDBOX:capture-fails-twice' },
      authorize: { auto_capture_at: new Date(stack.clock.now().getTime() + DAY_MS).toISOString() },
    })
    await stack.skipTime(invoiceId, 8 * DAY_MS)
    return closed(stack, invoiceId)
  }),

  refunded: payment({ authorize: { authorize_only: false } }, async (stack, invoiceId) => {
    await succeed(stack, `/invoices/${invoiceId}/refunds`, { amount: '9.00' })
    await succeed(stack, `/invoices/${invoiceId}/refunds`)
  }),

  // Two refunds under way at once, each looked up on its own schedule.
  'refunds-confirmed-later': payment(
    {
      card: { number: '4000000000007064' },
      authorize: { authorize_only: false },
    },
    async (stack, invoiceId) => {
      await Promise.all(['9.00', '20.00'].map((amount) => succeed(stack, `/invoices/${invoiceId}/refunds`, { amount })))
    },
  ),

  'charged-back': payment(
    {
      card: { number: '4000000000000200' },
      authorize: { authorize_only: false },
    },
    async (stack, invoiceId) => {
      await stack.waitFor(async () => {
        const { body } = await stack.get(`/invoices/${invoiceId}/transactions`)
        return body.transactions[0].status === 'solved'
      })
    },
  ),

  // The simulator approves half of it, which is given back.
  'approved-in-part': inBothModes(async (stack) => {
    const [{ id }, card] = await Promise.all([stack.createInvoice(), stack.createCard({ number: '4000000000007114' })])
    const { status } = await stack.post(`/invoices/${id}/authorize`, { source: card.id })
    if (status !== 410) throw new Error(`The partial approval answered ${status}.`)
    return closed(stack, id)
  }),

  'asked-the-gateway-now': payment({ card: { number: '4000000000007007' } }, async (stack, invoiceId) => {
    const { status } = await stack.put(`/invoices/${invoiceId}/sync-with-psp`)
    if (status !== 200) throw new Error(`Asking the gateway answered ${status}.`)
    await succeed(stack, `/invoices/${invoiceId}/void`)
  }),

  // Support staff closes an attempt that no look-up resolves; its late approval is given back.
  'closed-by-staff': payment({ card: { name: 'SANDBOX:authorization-approved-late' } }, async (stack, invoiceId) => {
    const { body } = await stack.get(`/invoices/${invoiceId}/transactions?expand[]=operations`)
    const attempt = body.transactions[0].operations.find(({ is_attempt }: { is_attempt: boolean }) => is_attempt)
    const { temporal, taskQueues, project, vault } = stack
    const resyncer = createPaymentResyncer({ temporal: { live: temporal, sandbox: temporal }, taskQueues })
    const payment = { projectId: project.id, environment: 'sandbox' as const, invoiceId }
    const found = {
      operationId: attempt.id,
      outcome: 'declined' as const,
      gatewayOperationId: null,
      reason: 'nothing found at the gateway',
    }
    await resyncer.resync({ ...payment, amountMinor: 2900, currency: 'EUR', orderId: null }, 'closed-by-staff', {
      lookUpNow: false,
      resolution: signResolution(vault.signCommand, payment, found),
    })
    await stack.skipTime(invoiceId, DAY_MS)
  }),

  'authenticated-by-customer': inBothModes(async (stack) => {
    const { invoiceId, call, page } = await wantedCustomer(stack)
    const { status } = await call({ source: await challenge(page, '1234') })
    if (status !== 200) throw new Error(`The authenticated payment answered ${status}.`)
    await succeed(stack, `/invoices/${invoiceId}/capture`)
    return closed(stack, invoiceId)
  }),

  'never-authenticated': inBothModes(async (stack) => {
    const { invoiceId } = await wantedCustomer(stack)
    await stack.skipTime(invoiceId, DAY_MS)
    return closed(stack, invoiceId)
  }),

  'declined-then-paid': inBothModes(async (stack) => {
    const [{ id }, declined, card] = await Promise.all([
      stack.createInvoice(),
      stack.createCard(DECLINED),
      stack.createCard(),
    ])
    await stack.post(`/invoices/${id}/authorize`, { source: declined.id })
    await succeed(stack, `/invoices/${id}/authorize`, { source: card.id })
    await succeed(stack, `/invoices/${id}/void`)
    return closed(stack, id)
  }),

  // The first gateway of the rule takes no connection; the same step is approved at the second.
  'fallen-back': inBothModes(async (stack) => {
    const { body: usual } = await stack.get('/gateway-configurations')
    const { body: made } = await stack.post('/gateways/simulator/gateway-configurations', {
      name: 'An account that refuses connections',
      settings: { fault_rate: '1', faults: 'refused' },
    })
    const [first, second] = [made.gateway_configuration.id, usual.gateway_configurations[0].id]
    await succeed(stack, '/routing-rules', { rules: `route { gateways: ${first}, ${second}; fallback: true; }` })
    const { invoiceId } = await stack.payInvoice()
    await stack.delete('/routing-rules')
    const { body } = await stack.get(`/invoices/${invoiceId}?expand=transaction`)
    if (body.invoice.transaction.gateway_configuration_id !== second) throw new Error('The payment did not fall back.')
    await succeed(stack, `/invoices/${invoiceId}/capture`)
    return closed(stack, invoiceId)
  }),

  'scheduled-capture-dropped': inBothModes(async (stack) => {
    const autoCaptureAt = new Date(stack.clock.now().getTime() + DAY_MS).toISOString()
    const { invoiceId } = await stack.payInvoice({ authorize: { auto_capture_at: autoCaptureAt } })
    await succeed(stack, `/invoices/${invoiceId}/capture`, { auto_capture_at: null })
    await stack.skipTime(invoiceId, 8 * DAY_MS)
    return closed(stack, invoiceId)
  }),

  // The void ends the payment; the approval, looked up later, is given back.
  'voided-while-unknown': payment({ card: { number: '4000000000007007' } }, async (stack, invoiceId) => {
    await succeed(stack, `/invoices/${invoiceId}/void`)
    await stack.skipTime(invoiceId, DAY_MS)
  }),

  'asked-after-its-end': payment({ authorize: { authorize_only: false } }, async (stack, invoiceId) => {
    await closed(stack, invoiceId)
    await succeed(stack, `/invoices/${invoiceId}/capture`)
  }),

  'test-clock-advanced': inBothModes(async (stack) => {
    const autoCaptureAt = new Date(stack.clock.now().getTime() + 3 * DAY_MS).toISOString()
    const { invoiceId } = await stack.payInvoice({ authorize: { auto_capture_at: autoCaptureAt } })
    for (const days of [2, 2]) await advance(stack, invoiceId, days)
    return closed(stack, invoiceId)
  }),

  // A run that has not lived through the days before it.
  'begun-anew-ahead-of-time': {
    modes: ['apart'],
    run: async (stack) => {
      const { invoiceId } = await stack.payInvoice()
      await advance(stack, invoiceId, 5)
      await stack.temporal.workflow.getHandle(paymentWorkflowId(invoiceId)).terminate()
      await advance(stack, invoiceId, 3)
      return closed(stack, invoiceId)
    },
  },

  // The record is enough for a run to begin anew, whatever became of the run before.
  'begun-anew-from-the-record': {
    modes: ['apart'],
    run: async (stack) => {
      const { invoiceId } = await stack.payInvoice()
      const workflowId = paymentWorkflowId(invoiceId)
      await stack.temporal.workflow.getHandle(workflowId).terminate()
      await stack.temporal.workflow.start<typeof paymentWorkflow>('paymentWorkflow', {
        workflowId,
        taskQueue: stack.taskQueues.payments,
        args: [{ projectId: stack.project.id, environment: 'sandbox', invoiceId }],
      })
      await stack.skipTime(invoiceId, 8 * DAY_MS)
      return closed(stack, invoiceId)
    },
  },

  // What the sweep of payments does with a payment whose run was lost.
  'found-overdue': {
    modes: ['apart'],
    run: async (stack) => {
      const { invoiceId } = await stack.payInvoice()
      await stack.temporal.workflow.getHandle(paymentWorkflowId(invoiceId)).terminate()
      const resync = createResyncSignal({
        temporal: { live: stack.temporal, sandbox: stack.temporal },
        taskQueues: stack.taskQueues,
      })
      const payment = { projectId: stack.project.id, environment: 'sandbox', invoiceId } as const
      await resync({ ...payment, amountMinor: 2900, currency: 'EUR', orderId: null })
      await stack.skipTime(invoiceId, 8 * DAY_MS)
      return closed(stack, invoiceId)
    },
  },

  // The worker starts webhooks in the same way whichever process the API is in.
  'webhook-delivered': { modes: ['together'], run: (stack) => webhook(stack, 200) },
  'webhook-exhausted': { modes: ['together'], run: (stack) => webhook(stack, 500) },
  'webhook-at-once': {
    modes: ['together'],
    run: (stack) =>
      withReceiver(async (receiver) => {
        // The host is known from the second event on, and then the first attempt runs inside the workflow task.
        await closed(stack, await authorizedEvent(stack, receiver.url))
        return closed(stack, await authorizedEvent(stack, receiver.url))
      }),
  },
  'webhook-two-targets': {
    modes: ['together'],
    run: (stack) =>
      withReceiver(async (receiver) => {
        const later: ReceiverAnswer = (response) => response.writeHead(503, { 'retry-after': '3' }).end()
        const { body } = await stack.post('/webhook-endpoints', { url: `${receiver.url}/endpoint` })
        receiver.answerWith(later, later, later, later, 200)
        const id = await closed(stack, await authorizedEvent(stack, receiver.url))
        await stack.delete(`/webhook-endpoints/${body.webhook_endpoint.id}`)
        return id
      }),
  },
  'webhook-sent-again': {
    modes: ['together'],
    run: (stack) =>
      withReceiver(async (receiver) => {
        const id = await closed(stack, await authorizedEvent(stack, receiver.url))
        await succeed(stack, `/events/${id}/resend`)
        return closed(stack, webhookWorkflowId(id, 1))
      }),
  },
}

/** One payment, from its authorization until nothing of it is awaited. */
function payment(
  options: Parameters<Stack['payInvoice']>[0],
  then: (stack: Stack, invoiceId: string) => Promise<unknown> = async () => {},
) {
  return inBothModes(async (stack) => {
    const { invoiceId } = await stack.payInvoice(options)
    await then(stack, invoiceId)
    return closed(stack, invoiceId)
  })
}

/** Both ways in which a payment begins: as the input of an eager start, and as an update. */
function inBothModes(run: Scenario) {
  return { modes: ['together', 'apart'] as const, run }
}

/** A payment whose customer has to authenticate, and the page on which the customer does. */
async function wantedCustomer(stack: Stack) {
  const [{ id }, card] = await Promise.all([stack.createInvoice(), stack.createCard({ number: '4000000000000101' })])
  const call = (more: object = {}) =>
    stack.post(`/invoices/${id}/authorize`, { source: card.id, enable_three_d_s_2: true, ...more })
  const { body } = await call()
  return { invoiceId: String(id), call, page: String(body.customer_action.value) }
}

/** The webhook of one event of a payment, answered with the same status until it ends. */
async function webhook(stack: Stack, status: number): Promise<string> {
  return withReceiver(async (receiver) => {
    receiver.answerWith(status)
    const id = await authorizedEvent(stack, receiver.url)
    await stack.waitFor(() => stack.history(id))
    await stack.skipAllWaiting(id).catch((error: Error) => {
      // One that is delivered at once is closed before anybody can ask it to hurry.
      if (!/completed/.test(error.message)) throw error
    })
    return closed(stack, id)
  })
}

async function withReceiver<T>(work: (receiver: Receiver) => Promise<T>): Promise<T> {
  const receiver = await makeReceiver()
  try {
    return await work(receiver)
  } finally {
    await receiver.stop()
  }
}

/** The event of a new authorization, whose invoice has that `webhook_url`. */
async function authorizedEvent(stack: Stack, url: string): Promise<string> {
  const { invoiceId } = await stack.payInvoice({ invoice: { webhook_url: url } })
  const { id } = await stack.waitFor(async () => {
    const { body } = await stack.get(`/events?filter=invoice_id:${invoiceId}`)
    return body.events.find(({ name }: { name: string }) => name === 'transaction.authorized')
  })
  return id
}

async function succeed(stack: Stack, path: string, body: object = {}): Promise<void> {
  const answer = await stack.post(path, body)
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}

function advance(stack: Stack, invoiceId: string, days: number): Promise<void> {
  return succeed(stack, `/invoices/${invoiceId}/clock/advance`, { seconds: days * 86_400 })
}

/** As the button of the Temporal UI does. */
async function cancel(stack: Stack, invoiceId: string): Promise<void> {
  await stack.temporal.workflow.getHandle(paymentWorkflowId(invoiceId)).cancel()
}

async function closed(stack: Stack, id: string): Promise<string> {
  // One that is started after the answer may not be there yet, and then the question fails.
  await stack.waitFor(() => stack.isClosed(id))
  return id
}
