import type { Gateway } from '../../src/gateways/gateway.ts'
import type { Waits } from '../../src/waits.ts'
import { makeDatabase, type TestDatabase } from './database.ts'
import { forFile } from './for-file.ts'
import { makePaymentActor, type PaymentActor } from './payment-actor.ts'
import { makePaymentFixture } from './payment-fixture.ts'

export type PaymentFixture = Awaited<ReturnType<typeof makePaymentFixture>>

export const databaseForFile = (waits?: Waits): TestDatabase =>
  forFile(
    () => makeDatabase(waits),
    (database) => database.drop(),
  )

/** Payments on a database of `databaseForFile`, for the same tests. */
export const fixtureForFile = (database: TestDatabase, wrapGateway?: (simulator: Gateway) => Gateway): PaymentFixture =>
  forFile(() => makePaymentFixture(database, wrapGateway))

/** The same, with steps that carry commands out. */
export const actorForFile = (database: TestDatabase, wrapGateway?: (simulator: Gateway) => Gateway): PaymentActor =>
  forFile(() => makePaymentActor(database, wrapGateway))
