import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { CardEntity } from '../../../src/persistence/entities/card.ts'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import type { EntityManager } from '../../../src/persistence/orm.ts'
import {
  listGatewayConfigurations,
  setDraining,
} from '../../../src/persistence/queries/projects/gateway-configurations.ts'
import { holdLock } from '../../support/held-lock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { paymentsForFile } from '../payments.ts'

const OPERATOR = 'operator:test'

const payments = paymentsForFile()
let first: string
let second: string

beforeAll(async () => {
  const known = await payments.account()
  first = known.id
  second = makeIdentifier('gatewayConfiguration', payments.deps.randomBytes)
  await payments.em().insert(GatewayConfigurationEntity, {
    ...{ id: second, projectId: payments.projectId, sandbox: true, gatewayName: 'simulator', name: 'Second account' },
    ...{ enabled: true, createdAt: new Date(known.createdAt.getTime() + 1) },
  })
})
afterEach(async () => {
  for (const id of [first, second])
    await inTransaction((em) => setDraining(em, { id, drainingSince: null, actor: OPERATOR }))
})

const inTransaction = <Result>(work: (em: EntityManager) => Promise<Result>) => payments.em().transactional(work)
const drain = (id: string, actor = OPERATOR, now = payments.deps.clock.now()) =>
  inTransaction((em) => setDraining(em, { id, drainingSince: now, actor }))

describe('a gateway configuration that is drained', () => {
  test('leaves an authorization refused and its card unused where there is no other', async () => {
    await drain(first)
    await drain(second)
    const { command, result } = await payments.authorize()
    expect(result.answer).toEqual({
      kind: 'refused',
      code: 'request.configuration.missing-gateway-configuration',
      message: 'The gateways of this project take no new payments at present.',
    })
    const card = await payments.em().findOneOrFail(CardEntity, { id: command.source ?? '' })
    expect(card.usedByInvoiceId).toBeNull()
  })

  test('is drained once by two who do it at once, with the date and the name of the first', async () => {
    const row = 'select from gateway_configuration where id = ? for update'
    const lock = await holdLock(payments.database, row, [first])
    const dates = ['2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z'].map((date) => new Date(date))
    const draining = dates.map((now, n) => drain(first, `operator:${n}`, now))
    await waitFor(async () => (await lock.countWaiting()) === 2)
    await lock.release()
    const before = await Promise.all(draining)
    const winner = before.findIndex((found) => found?.drainingSince == null)
    const { drainingSince } = await payments.em().findOneOrFail(GatewayConfigurationEntity, { id: first })
    expect(before[1 - winner]?.drainingSince).toEqual(dates[winner])
    expect(drainingSince).toEqual(dates[winner])
    const acts =
      "select actor from audit_entry where kind = 'gateway-configuration.drained' and actor like 'operator:_'"
    expect(await payments.em().execute(acts)).toEqual([{ actor: `operator:${winner}` }])
  })

  test('goes on with what is there, and counts it until it is done', async () => {
    const countOpen = async () => (await listGatewayConfigurations(payments.em(), { id: first }))[0]?.openPayments ?? 0
    const open = await countOpen()
    const [captured, voided] = [await payments.authorized(), await payments.authorized()]
    expect(await countOpen()).toBe(open + 2)
    await drain(first)
    for (const [{ invoiceId }, command] of [
      [captured, payments.build.capture()],
      [voided, payments.build.void()],
      [captured, payments.build.refund(900)],
    ] as const)
      expect((await payments.step(invoiceId, command)).answer).toEqual({ kind: 'done' })
    expect(await countOpen()).toBe(open)
  })
})
