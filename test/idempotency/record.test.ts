import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from '@jest/globals'
import type { IdempotencyClaim } from '../../domain/command.ts'
import { claimKey, findKey, keepAnswer } from '../../src/idempotency/record.ts'
import { isLockTimeout } from '../../src/persistence/database-error.ts'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { deleteOlder } from '../../src/persistence/queries/retention/retention.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

const NOW = new Date('2026-11-21T09:00:00.000Z')
const HOUR_MS = 60 * 60 * 1000
const SCOPE = { projectId: 'proj_keys', sandbox: true }
const ANSWER = { status: 200, body: '{"success":true}' }

const database = databaseForFile()
let count = 0

beforeAll(async () => {
  await database.orm.em.fork().insert(ProjectEntity, { id: SCOPE.projectId, name: 'Shop', createdAt: NOW })
})

const fork = () => database.orm.em.fork()

function newClaim(): IdempotencyClaim {
  count += 1
  return { id: String(count).padStart(64, '0'), requestHash: 'b'.repeat(64), requestId: 'req_1' }
}

describe('a key', () => {
  test('is claimed by one of a hundred operations that want it at once', async () => {
    const claim = newClaim()
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) => claimKey(fork(), SCOPE, claim, `tr_op_${index}`, NOW)),
    )
    expect(results.filter((result) => result === 'claimed')).toHaveLength(1)
    expect(results.filter((result) => result === 'taken')).toHaveLength(99)
  })

  test('that an operation has claimed is claimed by it again, and by no other and no plain request', async () => {
    const claim = newClaim()
    expect(await claimKey(fork(), SCOPE, claim, 'tr_op_a', NOW)).toBe('claimed')
    expect(await claimKey(fork(), SCOPE, claim, 'tr_op_a', NOW)).toBe('claimed')
    expect(await claimKey(fork(), SCOPE, claim, 'tr_op_b', NOW)).toBe('taken')
    expect(await claimKey(fork(), SCOPE, claim, null, NOW)).toBe('taken')
  })

  test('that a plain request has claimed is taken, also for the next plain request', async () => {
    const claim = newClaim()
    expect(await claimKey(fork(), SCOPE, claim, null, NOW)).toBe('claimed')
    expect(await claimKey(fork(), SCOPE, claim, null, NOW)).toBe('taken')
  })

  test('whose claim is rolled back is free again for the one that waited', async () => {
    const claim = newClaim()
    const { promise: claimed, resolve: hasClaimed } = Promise.withResolvers<void>()
    const first = fork().transactional(async (em) => {
      await claimKey(em, SCOPE, claim, 'tr_op_a', NOW)
      hasClaimed()
      await sleep(150)
      throw new Error('rolled back')
    })
    const second = claimed.then(() => fork().transactional((em) => claimKey(em, SCOPE, claim, 'tr_op_b', NOW)))
    await expect(first).rejects.toThrow('rolled back')
    expect(await second).toBe('claimed')
  })

  test('that another transaction holds is waited for until the lock timeout, and no longer', async () => {
    const claim = newClaim()
    const { promise: claimed, resolve: hasClaimed } = Promise.withResolvers<void>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const holding = fork().transactional(async (em) => {
      await claimKey(em, SCOPE, claim, null, NOW)
      hasClaimed()
      await mayEnd
    })
    await claimed
    const waiting = fork().transactional(async (em) => {
      await em.execute("set local lock_timeout = '100ms'")
      return claimKey(em, SCOPE, claim, null, NOW)
    })
    const error = await waiting.catch((thrown: unknown) => thrown)
    end()
    await holding
    expect(isLockTimeout(error)).toBe(true)
  })
})

describe('the answer of a key', () => {
  test('is kept once: a later one does not replace it', async () => {
    const claim = newClaim()
    await claimKey(fork(), SCOPE, claim, 'tr_op_a', NOW)
    await keepAnswer(fork(), claim, ANSWER, NOW)
    await keepAnswer(fork(), claim, { status: 410, body: '{}' }, new Date(NOW.getTime() + 1))
    await keepAnswer(fork(), claim, { status: 400, body: '{}' }, new Date(NOW.getTime() + 1))
    expect(await findKey(fork(), claim, NOW)).toEqual({ kind: 'answered', operationId: 'tr_op_a', ...ANSWER })
    expect(await fork().findOne(IdempotencyKeyEntity, { id: claim.id })).toMatchObject({ completedAt: NOW })
  })

  test.each([200, 201, 299, 410])('with status %i is kept', async (status) => {
    const claim = newClaim()
    await claimKey(fork(), SCOPE, claim, 'tr_op_a', NOW)
    await keepAnswer(fork(), claim, { status, body: '{}' }, NOW)
    expect(await findKey(fork(), claim, NOW)).toMatchObject({ kind: 'answered', status })
  })

  test.each([300, 400, 401, 404, 409, 429, 500, 503])(
    'with status %i is not kept, and the key is free for another operation',
    async (status) => {
      const claim = newClaim()
      await claimKey(fork(), SCOPE, claim, 'tr_op_a', NOW)
      await keepAnswer(fork(), claim, { status, body: '{}' }, NOW)
      expect(await claimKey(fork(), SCOPE, claim, 'tr_op_b', NOW)).toBe('claimed')
    },
  )

  test('with a refusing status is kept where a gateway was asked, so that no operation can ask again', async () => {
    const claim = newClaim()
    await claimKey(fork(), SCOPE, claim, 'tr_op_a', NOW)
    await keepAnswer(fork(), claim, { status: 400, body: '{}', isOutcome: true }, NOW)
    expect(await findKey(fork(), claim, NOW)).toMatchObject({ kind: 'answered', status: 400 })
    expect(await claimKey(fork(), SCOPE, claim, 'tr_op_b', NOW)).toBe('taken')
  })
})

describe('a request that comes with a key', () => {
  const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds)

  test('finds it free, then under way, then answered, and reads it anew each time', async () => {
    const claim = newClaim()
    const once = fork()
    expect(await findKey(once, claim, NOW)).toEqual({ kind: 'free' })
    await claimKey(fork(), SCOPE, claim, null, NOW)
    expect(await findKey(once, claim, NOW)).toEqual({ kind: 'under way' })
    await keepAnswer(fork(), claim, ANSWER, NOW)
    expect(await findKey(once, claim, NOW)).toEqual({ kind: 'answered', operationId: null, ...ANSWER })
  })

  test('finds it lost more than a minute after it was claimed, and answered for as long as it is kept', async () => {
    const claim = newClaim()
    await claimKey(fork(), SCOPE, claim, 'tr_op_a', NOW)
    expect(await findKey(fork(), claim, later(60_000))).toEqual({ kind: 'under way' })
    expect(await findKey(fork(), claim, later(60_001))).toEqual({ kind: 'lost' })
    await keepAnswer(fork(), claim, ANSWER, NOW)
    expect(await findKey(fork(), claim, later(60_001))).toMatchObject({ kind: 'answered' })
  })

  test('and another body is told neither the answer nor how far the first one is', async () => {
    const claim = newClaim()
    const other = { ...claim, requestHash: 'c'.repeat(64) }
    await claimKey(fork(), SCOPE, claim, 'tr_op_a', NOW)
    expect(await findKey(fork(), other, later(60_001))).toEqual({ kind: 'of another body' })
    await keepAnswer(fork(), claim, ANSWER, NOW)
    expect(await findKey(fork(), other, NOW)).toEqual({ kind: 'of another body' })
  })
})

describe('the database refuses', () => {
  const row = () => ({ ...SCOPE, id: newClaim().id, requestHash: 'b'.repeat(64), createdAt: NOW })

  test.each([
    ['an answer without its body', { status: 200, completedAt: NOW }, 'answer_is_whole'],
    ['an answer that was never completed', { status: 200, body: '{}' }, 'answer_is_whole'],
    ['a key that is not a hash', { id: 'order-1' }, 'idempotency_key_id_check'],
    ['a body that is not hashed', { requestHash: '{"number":"4242"}' }, 'idempotency_key_request_hash_check'],
    ['a key of no project', { projectId: 'proj_none' }, 'idempotency_key_project_id_fkey'],
  ])('%s', async (_, wrong, constraint) => {
    await expect(fork().insert(IdempotencyKeyEntity, { ...row(), ...wrong })).rejects.toMatchObject({ constraint })
  })
})

test('keys are deleted by their first use, completed or not', async () => {
  await fork().nativeDelete(IdempotencyKeyEntity, {})
  const before = new Date(NOW.getTime() - 72 * HOUR_MS)
  const at = (milliseconds: number) => new Date(before.getTime() + milliseconds)
  const [old, oldOpen, exact, young] = [newClaim(), newClaim(), newClaim(), newClaim()]
  await claimKey(fork(), SCOPE, old, 'tr_op_a', at(-1))
  await keepAnswer(fork(), old, ANSWER, at(0))
  await claimKey(fork(), SCOPE, oldOpen, 'tr_op_b', at(-1))
  await claimKey(fork(), SCOPE, exact, 'tr_op_c', at(0))
  await claimKey(fork(), SCOPE, young, 'tr_op_d', at(1))

  expect(await deleteOlder(fork(), 'idempotency_key', { before, limit: 10 })).toBe(2)
  const left = await fork().find(IdempotencyKeyEntity, {}, { orderBy: { id: 'asc' } })
  expect(left.map(({ id }) => id)).toEqual([exact.id, young.id])
})
