import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ApiRequestEntity } from '../../src/persistence/entities/api-request.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { deleteOnce } from '../../src/processes/deletions.ts'
import { makeRows } from '../persistence/rows.ts'
import { captureLog } from '../support/captured-log.ts'
import { fixedClock } from '../support/clock.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'

const HOUR_MS = 60 * 60 * 1000

let database: TestDatabase

beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database.drop())

test('each kind of row goes when its own time is over, and a day before it is still there', async () => {
  const clock = fixedClock()
  const { project, card, securityCode, apiRequest, idempotencyKey } = makeRows('deletions')
  const { orm } = database
  const em = orm.em.fork()
  const createdAt = clock.now()
  await em.insert(ProjectEntity, project)
  await em.insert(CardEntity, { ...card, usedByTokenId: null, usedByInvoiceId: null })
  await em.insert(CardSecurityCodeEntity, { ...securityCode, expiresAt: new Date(createdAt.getTime() + HOUR_MS) })
  await em.insert(ApiRequestEntity, { ...apiRequest, createdAt })
  await em.insert(IdempotencyKeyEntity, { ...idempotencyKey, createdAt })
  const left = async (hours: number) => {
    clock.advance(createdAt.getTime() + hours * HOUR_MS - clock.now().getTime())
    await deleteOnce({ orm, clock, logger: captureLog().logger })
    const counted = orm.em.fork()
    return [
      await counted.count(CardSecurityCodeEntity),
      await counted.count(IdempotencyKeyEntity),
      await counted.count(ApiRequestEntity),
    ]
  }

  expect(await left(0.9)).toEqual([1, 1, 1])
  expect(await left(48)).toEqual([0, 1, 1])
  expect(await left(73)).toEqual([0, 0, 1])
  expect(await left(29 * 24)).toEqual([0, 0, 1])
  expect(await left(31 * 24)).toEqual([0, 0, 0])
})
