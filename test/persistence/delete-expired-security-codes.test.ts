import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { deleteExpiredSecurityCodes } from '../../src/persistence/queries/customers/delete-expired-security-codes.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { makeRows } from './rows.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database.drop())

test('security codes go when their time is over, and no others', async () => {
  const { project, card, securityCode } = makeRows('codes')
  const now = new Date('2026-11-21T09:00:00.000Z')
  const em = database.orm.em.fork()
  await em.insert(ProjectEntity, project)
  for (const [id, milliseconds] of [
    ['past', -1],
    ['now', 0],
    ['ahead', 1],
  ] as const) {
    await em.insert(CardEntity, { ...card, id, usedByTokenId: null })
    await em.insert(CardSecurityCodeEntity, {
      ...securityCode,
      cardId: id,
      expiresAt: new Date(now.getTime() + milliseconds),
    })
  }

  expect(await deleteExpiredSecurityCodes(em, now)).toBe(2)
  expect(await database.orm.em.fork().find(CardSecurityCodeEntity, {})).toMatchObject([{ cardId: 'ahead' }])
  expect(await em.count(CardEntity)).toBe(3)
})
