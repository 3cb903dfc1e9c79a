import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import type { CaptureCommand } from '../../domain/command.ts'
import type { PaymentClient } from '../../src/temporal/client.ts'
import { takingTurns } from '../../src/temporal/turns.ts'
import { waitFor } from '../support/wait-for.ts'
import { TEST_WAITS } from '../support/waits.ts'

/** What a project has of all turns while nobody else asks, and beside others. */
const TURNS = 8
const TURNS_BESIDE_OTHERS = 4

const command = (operationId: string, actor = 'merchant') =>
  ({ kind: 'capture', operationId, actor, idempotency: null }) as CaptureCommand

/** A client whose commands are answered, and begin, when a test says so. */
function makeClient({ answerMs = 60_000 } = {}) {
  const sent: string[] = []
  const waitsMs = new Map<string, number | undefined>()
  const begun: string[] = []
  const answers = new Map<string, () => void>()
  const client: PaymentClient<null> = {
    workflowOf: () => ({ namespace: '', workflowId: '' }),
    send: (_, { operationId }, waitMs) => {
      sent.push(operationId)
      waitsMs.set(operationId, waitMs)
      return new Promise((resolve) => answers.set(operationId, () => resolve({ answer: { kind: 'done' }, rows: null })))
    },
  }
  const findBegun = async (ids: readonly string[]) => begun.filter((id) => ids.includes(id))
  const { send } = takingTurns(client, { findBegun, waits: { ...TEST_WAITS, answerMs } })
  const sendOf = (projectId: string, operationId: string, invoiceId = `iv_${operationId}`) =>
    send({ ...PAYMENT, projectId, invoiceId }, command(operationId))
  return {
    sent,
    waitsMs,
    begun,
    answer: (operationId: string) => answers.get(operationId)?.(),
    send: sendOf,
    sendOfClient: (operationId: string) =>
      send({ ...PAYMENT, projectId: 'a', invoiceId: `iv_${operationId}` }, command(operationId, 'client')),
    /** As many as one project may send. */
    fill: (projectId: string) => Array.from({ length: TURNS }, (_, index) => sendOf(projectId, `${projectId}${index}`)),
  }
}

const PAYMENT = { environment: 'live', amountMinor: 2900, currency: 'EUR', orderId: null } as const

test('A project sends the next command when one of its has begun or is answered', async () => {
  const { sent, begun, answer, send, fill } = makeClient()
  const first = fill('a')
  const waiting = [send('a', 'begins'), send('a', 'is answered')]
  await waitFor(() => sent.length === TURNS)
  begun.push('a3')
  await waitFor(() => sent.includes('begins'))
  expect(sent).not.toContain('is answered')
  answer('a0')
  await waitFor(() => sent.includes('is answered'))
  for (const id of [...sent]) answer(id)
  expect(await Promise.all([...first, ...waiting])).toHaveLength(TURNS + 2)
})

test('Another project sends at once, and while it asks the first one has half of its turns', async () => {
  const { sent, answer, send, fill } = makeClient()
  const first = fill('a')
  const late = send('a', 'late')
  const others = [send('b', 'b0')]
  await waitFor(() => sent.includes('b0'))
  for (const id of ['a0', 'a1', 'a2', 'a3', 'b0']) answer(id)
  others.push(send('b', 'b1'))
  await waitFor(() => sent.includes('b1'))
  expect(sent).toHaveLength(TURNS + 2)
  expect(sent).not.toContain('late')
  answer(`a${TURNS_BESIDE_OTHERS}`)
  await waitFor(() => sent.includes('late'))
  for (const id of [...sent]) answer(id)
  expect(await Promise.all([...first, ...others, late])).toHaveLength(TURNS + 3)
})

test('A command of a server does not stand in line behind those of clients', async () => {
  const { sent, answer, send, sendOfClient } = makeClient()
  const all = Array.from({ length: TURNS + 1 }, (_, index) => sendOfClient(`client${index}`))
  all.push(send('a', 'of the server'))
  await waitFor(() => sent.includes('of the server'))
  expect(sent).toHaveLength(TURNS + 1)
  for (const id of [...sent]) answer(id)
  await waitFor(() => sent.includes(`client${TURNS}`))
  answer(`client${TURNS}`)
  await Promise.all(all)
})

test('Commands of one payment, which wait for one another, take one turn, also those that stood in line', async () => {
  const { sent, answer, send, fill } = makeClient()
  const ofOne = Array.from({ length: TURNS }, (_, index) => send('a', `one${index}`, 'iv_one'))
  await waitFor(() => sent.length === TURNS)
  const others = fill('a')
  const late = [send('a', 'late0', 'iv_late'), send('a', 'late1', 'iv_late'), send('a', 'late2', 'iv_late')]
  await waitFor(() => sent.length === 2 * TURNS - 1)
  expect(sent.filter((id) => id.startsWith('late'))).toEqual([])
  answer('a0')
  await waitFor(() => sent.includes('a7'))
  answer('a1')
  await waitFor(() => sent.includes('late0'))
  expect(sent).not.toContain('late1')
  answer('a2')
  await waitFor(() => sent.includes('late2'))
  for (const id of [...sent]) answer(id)
  expect(await Promise.all([...ofOne, ...others, ...late])).toHaveLength(2 * TURNS + 3)
})

test('A command that has waited for its turn waits for its answer so much less', async () => {
  const { waitsMs, answer, send, fill } = makeClient()
  void fill('a')
  void send('a', 'late')
  await sleep(100)
  answer('a0')
  await waitFor(() => waitsMs.has('late'))
  expect(waitsMs.get('a0')).toBeGreaterThan(59_900)
  expect(waitsMs.get('late')).toBeLessThan(59_910)
})

test('A command that does not get its turn in time is not sent, and has no answer', async () => {
  const { sent, send, fill } = makeClient({ answerMs: 50 })
  void fill('a')
  expect(await send('a', 'late')).toBe('no-answer')
  expect(sent).not.toContain('late')
})
