import { beforeEach, describe, expect, test } from '@jest/globals'
import { type Retention, readConfig } from '../../src/config.ts'
import { ApiRequestEntity } from '../../src/persistence/entities/api-request.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import { CommandNoteEntity } from '../../src/persistence/entities/command-note.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity } from '../../src/persistence/entities/delivery-attempt.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { VelocityRecordEntity } from '../../src/persistence/entities/velocity-record.ts'
import { WithdrawnCommandEntity } from '../../src/persistence/entities/withdrawn-command.ts'
import { createOrm } from '../../src/persistence/orm.ts'
import { setBlock } from '../../src/persistence/queries/advice/advice-blocks.ts'
import { isInvitationExpired } from '../../src/persistence/queries/people/invitations.ts'
import { deleteOlder } from '../../src/persistence/queries/retention/retention.ts'
import { deleteOnce } from '../../src/sweeps/deletions.ts'
import { insertRows } from '../persistence/insert-rows.ts'
import { makeRows } from '../persistence/rows.ts'
import { captureLog } from '../support/captured-log.ts'
import { type AdjustableClock, fixedClock } from '../support/clock.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seedEvent } from '../webhooks/seed.ts'

const HOUR_MS = 60 * 60 * 1000
const { retention: DEFAULTS } = readConfig({})

const database = databaseForFile()
let clock: AdjustableClock
let begin: number

beforeEach(() => {
  clock = fixedClock()
  begin = clock.now().getTime()
})

const em = () => database.orm.em.fork()

/** Deletes what is over so many hours after the beginning. */
async function deleteAfter(hours: number, retention: Retention = DEFAULTS): Promise<void> {
  clock.advance(begin + hours * HOUR_MS - clock.now().getTime())
  const log = captureLog()
  await deleteOnce({ orm: database.orm, clock, logger: log.logger }, retention)
  expect(log.text()).toBe('')
}

describe('what is kept for a time only', () => {
  test('goes when its own time is over, and a while before it is still there', async () => {
    const { project, card, securityCode, apiRequest, idempotencyKey, commandNote, withdrawnCommand } =
      makeRows('deletions')
    const createdAt = clock.now()
    await em().insert(ProjectEntity, project)
    await em().insert(CardEntity, { ...card, usedByTokenId: null, usedByInvoiceId: null, createdAt })
    await em().insert(CardSecurityCodeEntity, { ...securityCode, expiresAt: new Date(begin + HOUR_MS) })
    await em().insert(ApiRequestEntity, { ...apiRequest, createdAt })
    await em().insert(IdempotencyKeyEntity, { ...idempotencyKey, createdAt })
    await em().insert(CommandNoteEntity, { ...commandNote, createdAt })
    await em().insert(WithdrawnCommandEntity, { ...withdrawnCommand, createdAt })
    const left = async (hours: number, retention?: Retention) => {
      await deleteAfter(hours, retention)
      const counted = em()
      return {
        codes: await counted.count(CardSecurityCodeEntity),
        notes: await counted.count(CommandNoteEntity),
        withdrawn: await counted.count(WithdrawnCommandEntity),
        keys: await counted.count(IdempotencyKeyEntity),
        numbers: await counted.count(CardEntity, { numberErasedAt: null }),
        requests: await counted.count(ApiRequestEntity),
      }
    }
    const all = { codes: 1, notes: 1, withdrawn: 1, keys: 1, numbers: 1, requests: 1 }
    const longer = { ...DEFAULTS, idempotencyKeysMs: 10 * 24 * HOUR_MS }

    expect(await left(0.9)).toEqual(all)
    expect(await left(1.1)).toEqual({ ...all, codes: 0 })
    expect(await left(71)).toEqual({ ...all, codes: 0, notes: 0, withdrawn: 0 })
    expect(await left(73, longer)).toEqual({ ...all, codes: 0, notes: 0, withdrawn: 0 })
    expect(await left(73)).toEqual({ ...all, codes: 0, notes: 0, withdrawn: 0, keys: 0 })
    expect(await left(6.9 * 24)).toEqual({ codes: 0, notes: 0, withdrawn: 0, keys: 0, numbers: 1, requests: 1 })
    expect(await left(7.1 * 24)).toEqual({ codes: 0, notes: 0, withdrawn: 0, keys: 0, numbers: 0, requests: 1 })
    expect(await left(29 * 24)).toEqual({ codes: 0, notes: 0, withdrawn: 0, keys: 0, numbers: 0, requests: 1 })
    expect(await left(31 * 24)).toEqual({ codes: 0, notes: 0, withdrawn: 0, keys: 0, numbers: 0, requests: 0 })
    expect(await em().findOneOrFail(CardEntity, { id: card.id })).toMatchObject({
      last4Digits: '4242',
      deletedAt: null,
    })
  })

  test('goes also where something before it cannot be deleted, which is logged and tried again', async () => {
    const { project, idempotencyKey, commandNote } = makeRows('refused')
    const createdAt = clock.now()
    await em().insert(ProjectEntity, project)
    await em().insert(IdempotencyKeyEntity, { ...idempotencyKey, createdAt })
    await em().insert(CommandNoteEntity, { ...commandNote, createdAt })
    await em().execute(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
       create trigger refuse before delete on command_note for each row execute function refuse()`,
    )
    clock.advance(73 * HOUR_MS)
    const log = captureLog()
    await deleteOnce({ orm: database.orm, clock, logger: log.logger }, DEFAULTS).finally(() =>
      em().execute('drop function refuse cascade'),
    )
    expect(log.text()).toContain('Notes of old commands could not be deleted')
    const left = async () => [await em().count(CommandNoteEntity), await em().count(IdempotencyKeyEntity)]
    expect(await left()).toEqual([1, 0])
    await deleteAfter(73)
    expect(await left()).toEqual([0, 0])
  })

  test('ends at once where the database is away, and leaves the telling to the sweep', async () => {
    const log = captureLog()
    const orm = await createOrm({ databaseUrl: 'postgresql://nobody@127.0.0.1:9/none' })
    await expect(deleteOnce({ orm, clock, logger: log.logger }, DEFAULTS)).rejects.toThrow('ECONNREFUSED')
    await orm.close(true)
    expect(log.text()).toBe('')
  })

  test('is, of webhooks, each try; events, deliveries and the tries of those that still wait are not', async () => {
    const { deliveryIds, projectId } = await seedEvent(database.orm, [
      'https://a.example/delivered',
      'https://b.example/failed',
      'https://c.example/pending',
    ])
    const statuses = ['delivered', 'failed', 'pending'] as const
    const { deliveryAttempt } = makeRows('attempts')
    for (const [n, deliveryId] of deliveryIds.entries()) {
      await em().nativeUpdate(DeliveryEntity, { id: deliveryId }, { status: statuses[n] ?? 'pending' })
      for (const [attempt, days] of [0, 10].entries()) {
        const startedAt = new Date(begin + days * 24 * HOUR_MS)
        const row = { ...deliveryAttempt, id: `wha_${n}_${attempt}`, projectId, deliveryId, run: 0, attempt, startedAt }
        await em().insert(DeliveryAttemptEntity, row)
      }
    }
    const left = async () => {
      const rows = await em().find(DeliveryAttemptEntity, {}, { orderBy: { id: 'asc' } })
      return rows.map(({ id }) => id)
    }

    await deleteAfter(89 * 24)
    expect(await left()).toHaveLength(6)
    expect(await deleteOlder(em(), 'delivery_attempt', { before: clock.now(), limit: 1 })).toBe(1)
    expect(await left()).toHaveLength(5)
    await deleteAfter(91 * 24)
    expect(await left()).toEqual(['wha_0_1', 'wha_1_1', 'wha_2_0', 'wha_2_1'])
    await deleteAfter(101 * 24)
    expect(await left()).toEqual(['wha_2_0', 'wha_2_1'])
    expect(await em().count(DeliveryEntity)).toBe(3)
    expect(await em().count(EventEntity)).toBe(1)
  })
})

describe('a table that has grown for long', () => {
  const COUNT = 2_500

  async function fill(): Promise<void> {
    const { project } = makeRows('grown')
    await em().upsert(ProjectEntity, project)
    await em().execute(
      `insert into idempotency_key (id, project_id, sandbox, request_hash, created_at)
       select encode(sha256(n::text::bytea), 'hex'), ?, true, repeat('0', 64), ?::timestamptz + n * interval '1 ms'
         from generate_series(1, ${COUNT}) n`,
      [project.id, clock.now()],
    )
  }

  test('loses no more than a batch at once, the oldest first, and nothing that somebody holds', async () => {
    await fill()
    const before = new Date(begin + COUNT)
    await em().transactional(async (holding) => {
      await holding.execute('select id from idempotency_key where created_at <= ? for update', [new Date(begin + 10)])
      expect(await deleteOlder(em(), 'idempotency_key', { before, limit: 100 })).toBe(100)
    })
    const ages = await em().execute<{ age: number }[]>(
      'select (extract(epoch from created_at - ?) * 1000)::integer as age from idempotency_key order by created_at limit 11',
      [clock.now()],
    )
    expect(ages.map(({ age }) => age)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 111])
  })

  test('is emptied in one go of the job, batch by batch', async () => {
    await deleteAfter(73)
    expect(await em().count(IdempotencyKeyEntity)).toBe(0)
  })
})

test('blocks by merchant advice go when they have ended', async () => {
  const rows = makeRows('blocks')
  await insertRows(em(), rows)
  const { projectId, sandbox, id: sourceOperationId } = rows.attempt
  const block = {
    projectId,
    sandbox,
    gatewayConfigurationId: null,
    amount: null,
    network: 'mastercard',
    sourceOperationId,
  } as const
  for (const [index, days] of [1, 30].entries())
    await setBlock(
      em(),
      { ...block, cardFingerprint: `print-${index}`, code: '21', expiresAt: new Date(begin + days * 24 * HOUR_MS) },
      clock.now(),
    )
  const left = async () => (await em().execute('select card_fingerprint from advice_block')).length
  await deleteAfter(23)
  expect(await left()).toBe(2)
  await deleteAfter(25)
  expect(await left()).toBe(1)
  await deleteAfter(31 * 24)
  expect(await left()).toBe(0)
})

test('an invitation stays for 30 days after its time is over, so that its link can say so', async () => {
  const { project } = makeRows('invitations')
  const tokenHash = 'a'.repeat(64)
  await em().insert(ProjectEntity, project)
  await em().execute(
    `insert into invitation (id, project_id, email, role, token_hash, created_at, expires_at)
     values ('invt_1', ?, 'late@shop.example', 'owner', ?, ?, ?)`,
    [project.id, tokenHash, clock.now(), new Date(begin + HOUR_MS)],
  )
  const saysSo = async (days: number) => {
    await deleteAfter(days * 24)
    return isInvitationExpired(em(), tokenHash, clock.now())
  }
  expect([await saysSo(30), await saysSo(31)]).toEqual([true, false])
})

test('what velocity rules count is kept for the 30 days that they may look back, and not for 32', async () => {
  const rows = makeRows('velocity')
  const velocityRecord = { ...rows.velocityRecord, createdAt: clock.now() }
  await insertRows(em(), { ...rows, velocityRecord })
  await deleteAfter(30 * 24)
  expect(await em().count(VelocityRecordEntity)).toBe(1)
  await deleteAfter(32 * 24)
  expect(await em().count(VelocityRecordEntity)).toBe(0)
})
