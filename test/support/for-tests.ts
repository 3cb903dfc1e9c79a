import { afterAll, beforeAll } from '@jest/globals'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { makeDatabase, type TestDatabase } from './database.ts'
import { makePaymentActor, type PaymentActor } from './payment-actor.ts'
import { makePaymentFixture } from './payment-fixture.ts'

export type PaymentFixture = Awaited<ReturnType<typeof makePaymentFixture>>

/** A database for all tests of a file, or of a `describe`. It has no properties before the first hook. */
export function databaseForTests(): TestDatabase {
  const database = madeBeforeTests(makeDatabase)
  afterAll(() => database.drop())
  return database
}

/** Payments on a database of `databaseForTests`, for the same tests. */
export function fixtureForTests(database: TestDatabase, wrapGateway?: (simulator: Gateway) => Gateway): PaymentFixture {
  return madeBeforeTests(() => makePaymentFixture(database, wrapGateway))
}

/** The same, with steps that carry commands out. */
export function actorForTests(database: TestDatabase, wrapGateway?: (simulator: Gateway) => Gateway): PaymentActor {
  return madeBeforeTests(() => makePaymentActor(database, wrapGateway))
}

function madeBeforeTests<T extends object>(make: () => Promise<T>): T {
  let made: T | null = null
  beforeAll(async () => {
    made = await make()
  })
  return new Proxy({} as T, {
    get(_, name) {
      if (made === null) throw new Error(`${String(name)} is not there before the hooks of the tests have run.`)
      return Reflect.get(made, name)
    },
  })
}
