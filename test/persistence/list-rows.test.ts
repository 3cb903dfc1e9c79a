import { beforeAll, describe, expect, test } from '@jest/globals'
import { LISTS } from '../../src/http/lists/list-definitions.ts'
import { listRows } from '../../src/persistence/queries/lists/list-rows.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const mine = makeRows('mine')
// A row of the fixture has every column filled, and a deleted one is in no list.
mine.token.deletedAt = null
const theirs = makeRows('theirs')
const scope = { projectId: mine.project.id, sandbox: true }
const ALL = { limit: 10, order: 'asc', cursor: null, conditions: [], restrictions: {} } as const

const database = databaseForFile()

beforeAll(async () => {
  const em = database.orm.em.fork()
  await insertRows(em, mine)
  await insertRows(em, theirs)
})

describe('a list', () => {
  test.each([
    ['invoices', mine.invoice],
    ['transactions', mine.transaction],
    ['customers', mine.customer],
    ['tokens', mine.token],
    ['refunds', mine.refund],
    ['webhooks', mine.delivery],
  ] as const)('of %s has the whole rows of one project and environment', async (name, row) => {
    const page = await listRows(database.orm.em.fork(), scope, LISTS[name], ALL)
    expect(page?.rows.map((found) => ({ ...found }))).toEqual([row])
    const live = await listRows(database.orm.em.fork(), { ...scope, sandbox: false }, LISTS[name], ALL)
    expect(live).toEqual({ rows: [], hasMore: false, totalCount: 0, isTotalCapped: false })
  })

  test('of cards reads no card numbers, and no deleted cards', async () => {
    const page = await listRows(database.orm.em.fork(), scope, LISTS.cards, ALL)
    expect(page?.rows).toMatchObject([{ id: mine.card.id, numberCiphertext: undefined }])
  })

  test('of gateway configurations reads no credentials, and no deleted configurations', async () => {
    const page = await listRows(database.orm.em.fork(), scope, LISTS.gateway_configurations, ALL)
    const { credentialsCiphertext, ...rest } = mine.gatewayConfiguration
    expect(credentialsCiphertext).not.toBeNull()
    expect(page?.rows.map((found) => ({ ...found }))).toEqual([rest])
    const live = await listRows(database.orm.em.fork(), { ...scope, sandbox: false }, LISTS.gateway_configurations, ALL)
    expect(live).toEqual({ rows: [], hasMore: false, totalCount: 0, isTotalCapped: false })
  })
})
