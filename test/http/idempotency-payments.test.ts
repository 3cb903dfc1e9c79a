import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Command, CommandAnswer, IdempotencyClaim } from '../../domain/command.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { IdempotencyKeyEntity, type IdempotencyKeyRow } from '../../src/persistence/entities/idempotency-key.ts'
import { OperationEntity, type OperationRow } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity, type TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { claimKey, completeKey } from '../../src/persistence/queries/idempotency-keys.ts'
import { presentPaymentAnswer } from '../../src/presenters/payment-answer.ts'
import { createKeyedClient, type KeyedPost, replayed } from './idempotency-client.ts'
import { type Interface, startInterface } from './interface.ts'

const SOURCE = { source: `card_${'a'.repeat(32)}` }
const AUTHORIZED = { status: 'authorized', authorizedMinor: 2900 } as const
const COMPLETED = { status: 'completed', authorizedMinor: 2900, capturedMinor: 2900 } as const
const OTHER_BODY = { status: 400, body: { error_type: 'request.idempotency-key.invalid' } }

let api: Interface
let send: KeyedPost
let gatewayConfigurationId: string
let invoiceId: string
let count = 0

beforeAll(async () => {
  api = await startInterface()
  send = createKeyedClient(api.url, api.merchant)
  const owner = { projectId: api.merchant.projectId }
  gatewayConfigurationId = (await em().findOneOrFail(GatewayConfigurationEntity, owner)).id
})
afterAll(() => api.stop())

beforeEach(async () => {
  const { body } = await send('/invoices', undefined, { name: 'Order 1', amount: '29.00', currency: 'EUR' })
  invoiceId = body.invoice.id
  api.payments.sent.length = 0
  api.payments.play(() => {
    throw new Error('No command was expected.')
  })
})

const em = () => api.database.orm.em.fork()
const scope = () => ({ projectId: api.merchant.projectId, sandbox: true })
const now = () => api.clock.now()
const post = (verb: string, key: string, body: object = {}) => send(`/invoices/${invoiceId}/${verb}`, key, body)
const keys = () => em().find(IdempotencyKeyEntity, {})
const newKey = () => {
  count += 1
  return `payment-${count}`
}

/** Does to the transaction what a payment would do. */
async function record(values: Partial<TransactionRow>): Promise<TransactionRow> {
  const owner = { ...scope(), invoiceId }
  if ((await em().nativeUpdate(TransactionEntity, owner, values)) === 0) {
    count += 1
    await em().insert(TransactionEntity, {
      ...owner,
      id: `tr_${count}`,
      gatewayConfigurationId,
      gatewayName: 'simulator',
      name: 'Order 1',
      currency: 'EUR',
      status: 'waiting',
      amountMinor: 2900,
      authorizedMinor: 0,
      capturedMinor: 0,
      voidedMinor: 0,
      refundedMinor: 0,
      incrementedMinor: 0,
      incremental: false,
      incrementAttempts: 0,
      attemptsCount: 1,
      expired: false,
      authorizationExpiresAt: new Date('2026-11-28T09:00:00.000Z'),
      eventCount: 0,
      metadata: {},
      createdAt: now(),
      updatedAt: now(),
      ...values,
    } as TransactionRow)
  }
  return em().findOneOrFail(TransactionEntity, owner)
}

/** Writes an operation of the payment: the attempt of this id, or a result. */
async function operate(id: string, values: Partial<OperationRow> = {}): Promise<void> {
  const { id: transactionId } = await em().findOneOrFail(TransactionEntity, { invoiceId })
  await em().insert(OperationEntity, {
    ...scope(),
    id,
    transactionId,
    type: 'authorization',
    isAttempt: true,
    hasFailed: false,
    isAccountable: false,
    amountMinor: 2900,
    currency: 'EUR',
    actor: 'merchant',
    metadata: {},
    createdAt: now(),
    ...values,
  } as OperationRow)
}

function claimOf({ idempotency }: Pick<Command, 'idempotency'>): IdempotencyClaim {
  if (idempotency === null) throw new Error('The command carries no key.')
  return idempotency
}

/** Books an outcome as a payment does: attempt and claim, then result and answer. */
async function carryOut(
  command: Command,
  answer: CommandAnswer,
  values: Partial<TransactionRow>,
): Promise<CommandAnswer> {
  const claim = claimOf(command)
  if ((await claimKey(em(), scope(), claim, command.operationId, now())) === 'taken') return { kind: 'duplicate' }
  const transaction = await record(values)
  await operate(command.operationId)
  const { status, body } = presentPaymentAnswer({ answer, transaction, requestId: claim.requestId })
  await completeKey(em(), claim, { status, body: JSON.stringify(body) }, now())
  return answer
}

const playOutcome = (answer: CommandAnswer, values: Partial<TransactionRow>) =>
  api.payments.play((command) => carryOut(command, answer, values))

describe('a command', () => {
  test('carries the key and the request as hashes, the same for the same request only', async () => {
    api.payments.play(() => ({ kind: 'refused', code: 'request.source.invalid', message: 'no' }))
    const key = 'a-key-that-nothing-else-is'
    await post('authorize', key, SOURCE)
    await post('authorize', key, SOURCE)
    await post('authorize', key, { ...SOURCE, incremental: true })
    await post('authorize', 'another', SOURCE)
    await post('capture', key, SOURCE)
    const claims = api.payments.sent.map(({ command }) => claimOf(command))
    const [first, same, otherBody, otherKey, otherPath] = claims
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      requestHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      requestId: expect.stringMatching(/^req_/),
    })
    expect(same).toEqual({ ...first, requestId: expect.not.stringMatching(`^${first?.requestId}$`) })
    expect(otherBody).toMatchObject({
      id: first?.id,
      requestHash: expect.not.stringMatching(`^${first?.requestHash}$`),
    })
    expect(new Set([first?.id, otherKey?.id, otherPath?.id]).size).toBe(3)
    expect(JSON.stringify(api.payments.sent)).not.toContain(key)
  })

  test('of a request without a key carries none', async () => {
    api.payments.play(() => ({ kind: 'refused', code: 'request.source.invalid', message: 'no' }))
    await send(`/invoices/${invoiceId}/authorize`, undefined, SOURCE)
    expect(api.payments.sent[0]?.command.idempotency).toBeNull()
    expect(await keys()).toEqual([])
  })
})

describe('an answer that is kept', () => {
  test.each([
    ['a success', { kind: 'done' }, AUTHORIZED, 200, 'success'],
    ['an outcome that is not known', { kind: 'pending' }, { status: 'pending' }, 200, 'pending'],
    ['a decline', { kind: 'declined', code: 'card.do-not-honor' }, { status: 'failed' }, 410, 'failed'],
    ['an expiry', { kind: 'refused', code: 'gateway.expired', message: 'too late' }, AUTHORIZED, 410, 'failed'],
    ['an answer by state', { kind: 'unchanged' }, AUTHORIZED, 200, 'success'],
  ] as const)('%s comes again to the byte, and nothing is asked twice', async (_, answer, values, status, outcome) => {
    const key = newKey()
    playOutcome(answer, values)
    const first = await post('authorize', key, SOURCE)
    expect(first).toMatchObject({ status, body: { outcome } })
    expect(replayed(first)).toBeNull()
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')

    await record({ status: 'voided', voidedMinor: 2900, authorizedMinor: 2900 })
    for (let again = 0; again < 2; again += 1) {
      const repeated = await post('authorize', key, SOURCE)
      expect(repeated).toMatchObject({ status, text: first.text })
      expect(replayed(repeated)).toBe('true')
    }
    expect(api.payments.sent).toHaveLength(1)
  })

  test('is not that of another body, and nothing is asked', async () => {
    const key = newKey()
    playOutcome({ kind: 'done' }, AUTHORIZED)
    await post('authorize', key, SOURCE)
    expect(await post('authorize', key, { ...SOURCE, incremental: true })).toMatchObject(OTHER_BODY)
    expect(await post('authorize', key, { source: 'nonsense' })).toMatchObject(OTHER_BODY)
    expect(api.payments.sent).toHaveLength(1)
  })

  test('comes again although the same request would be refused by now', async () => {
    const key = newKey()
    const body = { ...SOURCE, auto_capture_at: new Date(now().getTime() + 60_000).toISOString() }
    playOutcome({ kind: 'done' }, AUTHORIZED)
    const first = await post('authorize', key, body)
    api.clock.advance(120_000)
    expect((await post('authorize', key, body)).text).toBe(first.text)
  })

  test('comes in its place where the payment says that another operation has the key', async () => {
    const key = newKey()
    playOutcome({ kind: 'done' }, AUTHORIZED)
    api.payments.play(async (command) => {
      await carryOut({ ...command, operationId: 'tr_op_twin' }, { kind: 'done' }, AUTHORIZED)
      return carryOut(command, { kind: 'done' }, AUTHORIZED)
    })
    const answer = await post('authorize', key, SOURCE)
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'success' } })
    expect(replayed(answer)).toBe('true')
    const [row] = (await keys()).filter(({ operationId }) => operationId === 'tr_op_twin')
    expect(answer.text).toBe(row?.body)
  })

  test('comes in place of a refusal, where the same request was carried out meanwhile', async () => {
    api.payments.play(async (command) => {
      await carryOut({ ...command, operationId: `${command.operationId}twin` }, { kind: 'done' }, COMPLETED)
      return { kind: 'refused', code: 'request.validation.invalid-state', message: 'nothing is left to capture' }
    })
    await record(AUTHORIZED)
    const answer = await post('capture', newKey(), { capture_amount: '10.00' })
    expect(answer).toMatchObject({ status: 200, body: { transaction: { status: 'completed' } } })
    expect(replayed(answer)).toBe('true')
  })
})

describe('what is refused is not kept', () => {
  test.each([
    ['request.source.invalid', 400],
    ['request.validation.invalid-state', 400],
    ['resource.card.not-found', 404],
    ['request.still-processing', 409],
    ['request.not-started', 503],
  ] as const)('%s, and the same key is judged anew', async (code, status) => {
    const key = newKey()
    api.payments.play(async (command) => {
      const claim = claimOf(command)
      await claimKey(em(), scope(), claim, command.operationId, now())
      await completeKey(em(), claim, { status, body: '{}' }, now())
      return { kind: 'refused', code, message: 'no' }
    })
    expect(await post('authorize', key, SOURCE)).toMatchObject({ status, body: { error_type: code } })
    playOutcome({ kind: 'done' }, AUTHORIZED)
    const second = await post('authorize', key, SOURCE)
    expect(second).toMatchObject({ status: 200 })
    expect(replayed(second)).toBeNull()
  })

  test('a body that is not valid, and the same key may come with the corrected one', async () => {
    const key = newKey()
    expect(await post('authorize', key, { source: 4242 })).toMatchObject({ status: 400 })
    playOutcome({ kind: 'done' }, AUTHORIZED)
    expect(await post('authorize', key, SOURCE)).toMatchObject({ status: 200 })
  })
})

describe('while the first request is under way', () => {
  const claimElsewhere = async (key: string): Promise<IdempotencyClaim> => {
    api.payments.play(() => ({ kind: 'refused', code: 'request.source.invalid', message: 'no' }))
    await post('authorize', key, SOURCE)
    const claim = claimOf(api.payments.sent[0]?.command ?? { idempotency: null })
    await record({ status: 'waiting' })
    count += 1
    const operationId = `tr_op_elsewhere${count}`
    await operate(operationId)
    await claimKey(em(), scope(), claim, operationId, now())
    api.payments.sent.length = 0
    return claim
  }

  test('the same one waits for its answer and asks nothing', async () => {
    const key = newKey()
    const claim = await claimElsewhere(key)
    const waiting = post('authorize', key, SOURCE)
    setTimeout(() => void completeKey(em(), claim, { status: 200, body: '{"a":1}' }, now()), 700)
    const answer = await waiting
    expect(answer).toMatchObject({ status: 200, text: '{"a":1}' })
    expect(replayed(answer)).toBe('true')
    expect(api.payments.sent).toEqual([])
  })

  test('the same one is sent away after 5 seconds, asks nothing, and may come again', async () => {
    const key = newKey()
    const claim = await claimElsewhere(key)
    const startedAt = performance.now()
    const answer = await post('authorize', key, SOURCE)
    const waitedMs = performance.now() - startedAt
    expect(answer).toMatchObject({ status: 409, body: { error_type: 'request.still-processing' } })
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(waitedMs).toBeGreaterThan(4_900)
    expect(waitedMs).toBeLessThan(9_000)
    expect(api.payments.sent).toEqual([])
    await completeKey(em(), claim, { status: 200, body: '{"a":1}' }, now())
    expect(await post('authorize', key, SOURCE)).toMatchObject({ status: 200, text: '{"a":1}' })
  }, 20_000)

  test('one with another body is refused at once', async () => {
    const key = newKey()
    await claimElsewhere(key)
    expect(await post('authorize', key, { ...SOURCE, incremental: true })).toMatchObject(OTHER_BODY)
  })

  const FINAL = { isAttempt: false } as const
  test.each([
    ['approved', { outcome: 'succeeded' }, AUTHORIZED, 200, { outcome: 'success' }],
    [
      'declined',
      { outcome: 'failed', errorCode: 'card.no-money' },
      { status: 'failed', errorCode: 'card.no-money' },
      410,
      { error_type: 'card.no-money' },
    ],
    ['unknown', { outcome: 'unknown' }, { status: 'pending' }, 200, { outcome: 'pending' }],
    ['open, without a result', null, { status: 'pending' }, 200, { outcome: 'pending' }],
    [
      'approved, and the capture of the sale is open',
      { outcome: 'succeeded' },
      { ...AUTHORIZED, status: 'pending-capture', capturingMinor: 2900 },
      200,
      { outcome: 'pending' },
    ],
  ] as const)(
    'and its run was lost, the record answers after a minute: %s',
    async (_, result, values, status, body) => {
      const key = newKey()
      const claim = await claimElsewhere(key)
      const { operationId } = await em().findOneOrFail(IdempotencyKeyEntity, { id: claim.id })
      await record(values)
      if (result !== null)
        await operate(`${operationId}result`, { ...FINAL, ...result, attemptOperationId: operationId ?? '' })
      api.clock.advance(60_001)

      const answers = [await post('authorize', key, SOURCE), await post('authorize', key, SOURCE)]
      for (const answer of answers) {
        expect(answer).toMatchObject({ status, body })
        expect(replayed(answer)).toBe('true')
      }
      expect(answers[1]?.text).toBe(answers[0]?.text)
      expect(api.payments.sent).toEqual([])
    },
  )
})

describe('silence', () => {
  const rowOf = async (): Promise<IdempotencyKeyRow | null> => {
    const claim = claimOf(api.payments.sent.at(-1)?.command ?? { idempotency: null })
    return em().findOne(IdempotencyKeyEntity, { id: claim.id })
  }
  const begin = async (command: Command) => {
    await record({ status: 'waiting' })
    await operate(command.operationId)
    await claimKey(em(), scope(), claimOf(command), command.operationId, now())
  }

  test('of a command that had begun: what was told is kept, and a later outcome does not replace it', async () => {
    const key = newKey()
    api.payments.play(async (command) => {
      await begin(command)
      return { kind: 'no-answer' }
    })
    const first = await post('authorize', key, SOURCE)
    expect(first).toMatchObject({ status: 200, body: { outcome: 'pending', transaction: { status: 'waiting' } } })
    expect(replayed(first)).toBeNull()

    await record(AUTHORIZED)
    const claim = claimOf(api.payments.sent[0]?.command ?? { idempotency: null })
    await completeKey(em(), claim, { status: 200, body: '{"late":true}' }, now())
    const second = await post('authorize', key, SOURCE)
    expect(second.text).toBe(first.text)
    expect(replayed(second)).toBe('true')
    expect(api.payments.sent).toHaveLength(1)
  })

  test('of a command that had ended: its result is told and kept', async () => {
    const key = newKey()
    api.payments.play(async (command) => {
      await begin(command)
      await operate(`${command.operationId}r`, {
        isAttempt: false,
        attemptOperationId: command.operationId,
        outcome: 'failed',
        errorCode: 'card.expired',
      })
      await record({ status: 'failed', errorCode: 'card.expired' })
      return { kind: 'no-answer' }
    })
    const first = await post('authorize', key, SOURCE)
    expect(first).toMatchObject({ status: 410, body: { error_type: 'card.expired', outcome: 'failed' } })
    expect((await post('authorize', key, SOURCE)).text).toBe(first.text)
  })

  test('of a command that had not begun: it is withdrawn, the key stays free, and the next request is carried out', async () => {
    const key = newKey()
    api.payments.play(() => ({ kind: 'no-answer' }))
    expect(await post('authorize', key, SOURCE)).toMatchObject({
      status: 503,
      body: { error_type: 'request.not-started' },
    })
    expect(await rowOf()).toBeNull()
    playOutcome({ kind: 'done' }, AUTHORIZED)
    const second = await post('authorize', key, SOURCE)
    expect(second).toMatchObject({ status: 200, body: { outcome: 'success' } })
    expect(replayed(second)).toBeNull()
  })

  test('of a command that had not begun, while its twin was carried out: the answer is that of the twin', async () => {
    api.payments.play(async (command) => {
      await carryOut({ ...command, operationId: `${command.operationId}twin` }, { kind: 'done' }, AUTHORIZED)
      return { kind: 'no-answer' }
    })
    const answer = await post('authorize', newKey(), SOURCE)
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'success' } })
    expect(replayed(answer)).toBe('true')
  })
})

describe('a payment that has ended', () => {
  test('keeps its answer by state under the key, without a command', async () => {
    const key = newKey()
    await record(COMPLETED)
    const first = await post('capture', key)
    expect(first).toMatchObject({
      status: 200,
      body: { transaction: { status: 'completed', refunded_amount: '0.00' } },
    })
    expect(replayed(first)).toBeNull()
    await record({ status: 'partially-refunded', refundedMinor: 100 })
    const second = await post('capture', key)
    expect(second.text).toBe(first.text)
    expect(replayed(second)).toBe('true')
    expect(await post('capture', key, { capture_amount: '1.00' })).toMatchObject(OTHER_BODY)
    expect(api.payments.sent).toEqual([])
  })

  test('gives one answer to a hundred equal requests', async () => {
    const key = newKey()
    await record(COMPLETED)
    const answers = await Promise.all(Array.from({ length: 100 }, () => post('capture', key)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1)
  })

  test('keeps no refusal', async () => {
    const key = newKey()
    await record({ status: 'voided', authorizedMinor: 2900, voidedMinor: 2900 })
    for (let again = 0; again < 2; again += 1) {
      const answer = await post('capture', key)
      expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
      expect(replayed(answer)).toBeNull()
    }
  })

  test('keeps that it has expired', async () => {
    const key = newKey()
    await record({ status: 'voided', authorizedMinor: 2900, voidedMinor: 2900, expired: true })
    const first = await post('capture', key)
    expect(first).toMatchObject({ status: 410, body: { error_type: 'gateway.expired' } })
    expect(await post('capture', key)).toMatchObject({ status: 410, text: first.text })
  })
})

test('a synchronization is repeated to the byte, too', async () => {
  const key = newKey()
  await record({ status: 'pending' })
  const synchronize = () => send(`/invoices/${invoiceId}/sync-with-psp`, key, {}, 'PUT')
  const first = await synchronize()
  expect(first).toMatchObject({ status: 200, body: { transaction: { status: 'pending' } } })
  expect(replayed(first)).toBeNull()
  await record(AUTHORIZED)
  const second = await synchronize()
  expect(second.text).toBe(first.text)
  expect(replayed(second)).toBe('true')
})

test('a hundred equal requests at once all get the one answer', async () => {
  const key = newKey()
  playOutcome({ kind: 'done' }, AUTHORIZED)
  const answers = await Promise.all(Array.from({ length: 100 }, () => post('authorize', key, SOURCE)))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1)
  const { id: transactionId } = await em().findOneOrFail(TransactionEntity, { invoiceId })
  expect(await em().count(OperationEntity, { transactionId })).toBe(1)
})
