import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { type Client, WorkflowUpdateFailedError } from '@temporalio/client'
import { ActivityFailure, ApplicationFailure } from '@temporalio/common'
import type { CaptureCommand } from '../../domain/command.ts'
import { createPaymentClient, refusalOf, startOptions } from '../../src/temporal/client.ts'
import { createPendingAnswers } from '../../src/temporal/pending-answers.ts'
import { PRODUCTION_WAITS, type Waits } from '../../src/waits.ts'
import { captureLog } from '../support/captured-log.ts'
import { TEST_WAITS } from '../support/waits.ts'

const payment = {
  projectId: 'proj_1',
  environment: 'sandbox',
  invoiceId: 'iv_1',
  amountMinor: 2900,
  currency: 'EUR',
  orderId: null,
} as const

/** Of a Temporal that never answers. */
const silent = {
  options: { namespace: 'sandbox' },
  withDeadline: (_: number, work: () => Promise<unknown>) => work(),
  workflow: { executeUpdateWithStart: () => new Promise(() => {}) },
} as unknown as Client
const client = (temporal = silent, waits: Waits = TEST_WAITS) =>
  createPaymentClient({
    temporal: { live: temporal, sandbox: temporal },
    taskQueues: { payments: 'payments', webhooks: 'webhooks' },
    eager: false,
    pendingAnswers: createPendingAnswers(),
    sign: () => '',
    waits,
    logger: captureLog().logger,
  })
const capture = (operationId: string) => ({ kind: 'capture', operationId, idempotency: null }) as CaptureCommand

describe('a command', () => {
  test('has no answer where the payment does not give one in time', async () => {
    expect(await client().send(payment, capture('tr_op_1'))).toBe('no-answer')
    expect(await client(silent, PRODUCTION_WAITS).send(payment, capture('tr_op_1'), 50)).toBe('no-answer')
  })

  test('is refused where it does not get its turn in time, and those of another payment go on', async () => {
    const { send } = client()
    // As many as Temporal takes of one payment at once.
    const sent = Array.from({ length: 8 }, (_, index) => send(payment, capture(`tr_op_${index}`)))
    const refused = { answer: { kind: 'refused', code: 'request.still-processing' } }
    expect(await send(payment, capture('tr_op_late'))).toMatchObject(refused)
    expect(await send({ ...payment, invoiceId: 'iv_2' }, capture('tr_op_other'))).toBe('no-answer')
    expect(new Set(await Promise.all(sent))).toEqual(new Set(['no-answer']))
  })

  test('that waits for its turn is sent once one before it is answered', async () => {
    const { promise: mayAnswer, resolve: answerAll } = Promise.withResolvers<void>()
    let asked = 0
    const slow = {
      ...silent,
      workflow: {
        async executeUpdateWithStart(_: unknown, { args: [{ operationId }] }: { args: [CaptureCommand] }) {
          asked += 1
          await mayAnswer
          return { operationId, answer: { kind: 'done' } }
        },
      },
    } as unknown as Client
    const { send } = client(slow, PRODUCTION_WAITS)
    const sent = Array.from({ length: 8 }, (_, index) => send(payment, capture(`tr_op_${index}`)))
    const late = send(payment, capture('tr_op_late'))
    // So that it is refused first, were it not to wait.
    await sleep(TEST_WAITS.turnMs)
    expect(asked).toBe(8)
    answerAll()
    for (const one of await Promise.all([...sent, late])) expect(one).toEqual({ answer: { kind: 'done' }, rows: null })
    expect(asked).toBe(9)
  })
})

/** `temporal.api.enums.v1.WorkflowTaskFailedCause` */
const UNHANDLED_COMMAND = 1
const RESET_WORKFLOW = 20

test.each([
  ['has thrown', [14], ['ended', 'done']],
  ['does not replay its history', [24], ['ended', 'done']],
  ['does not replay it beside an answer', [30], ['ended', 'done']],
  ['begins a timer that its history has', [12], ['ended', 'done']],
  ['has thrown, and throws again in the next one', [14, 14], ['ended', 'ended', 'done']],
  ['was ending as something came', [UNHANDLED_COMMAND, UNHANDLED_COMMAND], ['done']],
  ['was reset', [RESET_WORKFLOW], ['done']],
  ['took too long', [null, null], ['done']],
])('a command whose run %s, so that its task fails', async (_, causes, expected) => {
  const steps: string[] = []
  const failures = [...causes]
  const refused = Object.assign(new Error(), { code: 9, details: 'Workflow Task in failed state', metadata: {} })
  const last = () => {
    const cause = failures.shift()
    return cause === null
      ? { workflowTaskTimedOutEventAttributes: {} }
      : { workflowTaskFailedEventAttributes: { cause } }
  }
  const failing = {
    ...silent,
    workflow: {
      executeUpdateWithStart: async () => {
        if (failures.length > 0) throw refused
        return { operationId: 'tr_op_1', answer: { kind: 'done' } }
      },
      getHandle: () => ({
        describe: async () => ({ runId: 'run', status: { name: 'RUNNING' } }),
        terminate: async () => void steps.push('ended'),
      }),
    },
    workflowService: { getWorkflowExecutionHistoryReverse: async () => ({ history: { events: [{}, last()] } }) },
  } as unknown as Client
  const answered = await client(failing, PRODUCTION_WAITS).send(payment, capture('tr_op_1'))
  expect([...steps, answered === 'no-answer' ? answered : answered.answer.kind]).toEqual(expected)
})

describe('the run of a payment', () => {
  const optionsOf = (orderId: string | null) => startOptions({ ...payment, orderId }, { payments: 'p', webhooks: 'w' })
  const orderIn = (orderId: string | null) =>
    optionsOf(orderId).typedSearchAttributes.find(({ key }) => key.name === 'OrderReference')?.value

  test('is found by the order of its merchant, and shows it', () => {
    expect(orderIn('A-1')).toBe('A-1')
    expect(optionsOf('A-1').staticSummary).toBe('EUR 29.00 · order A-1')
    expect(orderIn(null)).toBeUndefined()
  })

  test('waits at Temporal among those of its own project', () => {
    expect(optionsOf(null).priority).toEqual({ fairnessKey: payment.projectId })
  })

  test('shows no card number and no secret that stands in place of an order', () => {
    for (const secret of ['4242424242424242', 'key_live_0123456789abcdef']) {
      const options = JSON.stringify(optionsOf(`order ${secret}`))
      expect(options).not.toContain(secret)
      expect(options).toContain('order ')
    }
    expect(orderIn('4242424242424242')).toBe('************4242')
  })
})

describe('the failure of an update', () => {
  const failed = (cause: Error) => new WorkflowUpdateFailedError('Workflow Update failed', cause)
  /** As an activity wraps what it throws. */
  const ofActivity = (cause: Error) =>
    new ActivityFailure('Activity task failed', 'capture', '1', 'NON_RETRYABLE_FAILURE', 'worker', cause)
  const refused = ApplicationFailure.nonRetryable('There is no such payment.', 'request.still-processing')

  test.each([
    ['a workflow', failed(refused), 'request.still-processing'],
    ['an activity', failed(ofActivity(refused)), 'request.still-processing'],
    ['a worker of a later version', failed(ApplicationFailure.nonRetryable('No.', 'card.of-2030')), 'card.of-2030'],
  ])('is a refusal with its code where %s has refused', (_, error, code) => {
    expect(refusalOf(error)).toMatchObject({ kind: 'refused', code })
  })

  test.each([
    ['it has no code of the interface', failed(ApplicationFailure.nonRetryable('The disk is full.', 'TypeError'))],
    ['it is no answer of a workflow', ofActivity(refused)],
  ])('is no refusal where %s', (_, error) => {
    expect(() => refusalOf(error)).toThrow(error)
  })
})
