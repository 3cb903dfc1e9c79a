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
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

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
