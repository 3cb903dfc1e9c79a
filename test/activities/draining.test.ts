import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import {
  drainGateway,
  listGatewayConfigurations,
  resumeGateway,
} from '../../src/persistence/queries/projects/gateway-configurations.ts'
import { holdLock } from '../support/held-lock.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'
import { waitFor } from '../support/wait-for.ts'

const OPERATOR = 'operator:test'

describe('a gateway configuration that is drained', () => {
  const database = databaseForFile()
  let first: string
  let second: string

  const fixture = fixtureForFile(database)
  beforeAll(async () => {
    const em = database.orm.em.fork()
    const known = await em.findOneOrFail(GatewayConfigurationEntity, { projectId: fixture.projectId })
    first = known.id
    second = makeIdentifier('gatewayConfiguration', fixture.deps.randomBytes)
    await em.insert(GatewayConfigurationEntity, {
      id: second,
      projectId: fixture.projectId,
      sandbox: true,
      gatewayName: 'simulator',
      name: 'Second account',
      enabled: true,
      createdAt: new Date(known.createdAt.getTime() + 1),
    })
  })
  afterEach(async () => {
    for (const id of [first, second]) await inTransaction((em) => resumeGateway(em, { id, actor: OPERATOR }))
  })

  const inTransaction = <Result>(work: (em: EntityManager) => Promise<Result>) =>
    database.orm.em.fork().transactional(work)
  const drain = (id: string) =>
    inTransaction((em) => drainGateway(em, { id, actor: OPERATOR, now: fixture.deps.clock.now() }))
  const activities = () => createSignedActivities(fixture.deps)
  const authorize = async () => {
    const [invoiceId, card] = [await fixture.makeInvoice(), await fixture.makeCard()]
    const { answer } = await activities().authorize(fixture.step(invoiceId, fixture.authorizeCommand(card)))
    return { invoiceId, card, answer }
  }
  const openAt = async (id: string) =>
    (await listGatewayConfigurations(database.orm.em.fork(), { id }))[0]?.openPayments

  test('leaves an authorization refused and its card unused where there is no other', async () => {
    await drain(first)
    await drain(second)
    const { answer, card } = await authorize()
    expect(answer).toEqual({
      kind: 'refused',
      code: 'request.configuration.missing-gateway-configuration',
      message: 'The gateways of this project take no new payments at present.',
    })
    expect(await database.orm.em.fork().findOneOrFail(CardEntity, { id: card })).toMatchObject({
      usedByInvoiceId: null,
    })
  })

  test('is drained once by two who do it at once, with the date and the name of the first', async () => {
    const lock = await holdLock(database, 'select from gateway_configuration where id = ? for update', [first])
    const dates = ['2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z'].map((date) => new Date(date))
    const draining = dates.map((now, n) =>
      inTransaction((em) => drainGateway(em, { id: first, actor: `operator:${n}`, now })),
    )
    await waitFor(async () => (await lock.countWaiting()) === 2)
    await lock.release()
    const before = await Promise.all(draining)
    const winner = before.findIndex((row) => row?.drainingSince == null)
    const { drainingSince } = await database.orm.em.fork().findOneOrFail(GatewayConfigurationEntity, { id: first })
    expect(before[1 - winner]?.drainingSince).toEqual(dates[winner])
    expect(drainingSince).toEqual(dates[winner])
    expect(
      await database.orm.em
        .fork()
        .execute(
          "select actor from audit_entry where kind = 'gateway-configuration.drained' and actor like 'operator:_'",
        ),
    ).toEqual([{ actor: `operator:${winner}` }])
  })

  test('goes on with what is there, and counts it until it is done', async () => {
    const open = (await openAt(first)) ?? 0
    const [captured, voided] = [await authorize(), await authorize()]
    expect(await openAt(first)).toBe(open + 2)
    await drain(first)
    const release = { ...fixture.captureCommand(), kind: 'void' as const, amountMinor: null, reason: null }
    const answers = [
      await activities().capture(fixture.step(captured.invoiceId, fixture.captureCommand())),
      await activities().voidAuthorization(fixture.step(voided.invoiceId, release)),
      await activities().refund(
        fixture.step(captured.invoiceId, {
          ...fixture.captureCommand(),
          kind: 'refund',
          refundId: makeIdentifier('refund', fixture.deps.randomBytes),
          amountMinor: 900,
          reason: 'other',
        }),
      ),
    ]
    expect(answers.map(({ answer }) => answer)).toEqual([{ kind: 'done' }, { kind: 'done' }, { kind: 'done' }])
    expect(await openAt(first)).toBe(open)
  })
})
