import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { type ChangeDeps, fireProjectEvent, makeChanges } from '../../src/persistence/queries/webhooks/project-event.ts'
import { fixedClock } from '../support/clock.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seedEndpoint, seedProject } from '../webhooks/endpoint-seed.ts'

const database = databaseForFile()
let projectId: string
/** What was announced, with whether it was committed by then. */
let announced: Promise<{ eventId: string; isCommitted: boolean }>[] = []

beforeEach(async () => {
  announced = []
  projectId = await seedProject(database.orm)
  await seedEndpoint(database.orm, { projectId, url: 'https://shop.example/' })
})

const em = () => database.orm.em.fork()
const isThere = async ({ eventId }: FiredEvent) => (await em().count(EventEntity, { id: eventId })) === 1
const deps: ChangeDeps = {
  clock: fixedClock(),
  randomBytes,
  announce: (events) =>
    void announced.push(
      ...events.map(async (event) => ({ eventId: event.eventId, isCommitted: await isThere(event) })),
    ),
}
const record = (names: readonly ('customer.created' | 'customer.updated')[]) =>
  makeChanges(deps, em(), async (transaction, changes) => {
    const ids: string[] = []
    for (const name of names)
      ids.push(
        await fireProjectEvent(transaction, changes, { scope: { projectId, sandbox: true }, name, data: { name } }),
      )
    return ids
  })

describe('events of a change', () => {
  test('are announced once it is committed, all of them and in their order', async () => {
    const ids = await record(['customer.created', 'customer.updated'])
    expect(await Promise.all(announced)).toEqual(ids.map((eventId) => ({ eventId, isCommitted: true })))
  })

  test('are not announced where the change fails', async () => {
    const failing = makeChanges(deps, em(), async (transaction, changes) => {
      const event = { scope: { projectId, sandbox: true }, name: 'customer.created', data: {} } as const
      await fireProjectEvent(transaction, changes, event)
      throw new Error('It failed')
    })
    await expect(failing).rejects.toThrow('It failed')
    expect(announced).toEqual([])
  })

  test('are not announced where its commit fails', async () => {
    await em().execute(`
      create function refuse_commit() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
      create constraint trigger refused after insert on event deferrable initially deferred
        for each row execute function refuse_commit()`)
    const change = record(['customer.created']).finally(() => em().execute('drop function refuse_commit cascade'))
    await expect(change).rejects.toThrow('not now')
    expect(announced).toEqual([])
    expect(await em().count(EventEntity, { projectId })).toBe(0)
  })
})
