import { makeIdentifier } from '../../domain/identifiers.ts'
import type { GatewayOperationType } from '../../domain/operation.ts'
import type { AuthorizeRequest } from '../../src/gateways/gateway.ts'
import { createSimulator } from '../../src/gateways/simulator/adapter.ts'
import type { Execute } from '../../src/gateways/simulator/ledger.ts'
import { readSimulatorLog, type SimulatorLogFilter } from '../../src/gateways/simulator/read-log.ts'
import { execute as runStatement } from '../../src/persistence/statements.ts'
import { fixedClock } from '../support/clock.ts'
import { makeDatabase } from '../support/database.ts'
import { seededRandomBytes } from '../support/random.ts'

export const APPROVED = '4242424242424242'

/** Long enough for any answer; a test that needs it to pass has failed. */
export const patience = () => AbortSignal.timeout(20_000)

/** A simulator on a database of its own, at 9 o'clock on 2026-11-21. */
export async function makeSimulator(seed: string) {
  const { orm, dump, drop } = await makeDatabase()
  const randomBytes = seededRandomBytes(seed)
  const makeReference = () => makeIdentifier('operation', randomBytes)
  let statements = 0
  const execute: Execute = (sql, parameters) => {
    statements += 1
    return runStatement(orm, sql, parameters)
  }
  const clock = fixedClock('2026-11-21T09:00:00.000Z')
  const gateway = createSimulator({ execute, clock })
  const readLog = (filter: SimulatorLogFilter) => readSimulatorLog(execute, filter)

  const access = { credentials: {}, settings: {} }
  const gatewayConfigurationId = makeIdentifier('gatewayConfiguration', randomBytes)

  const requestOf = (number: string, overrides: Partial<AuthorizeRequest> = {}): AuthorizeRequest => ({
    ...access,
    reference: makeReference(),
    gatewayConfigurationId,
    invoiceId: makeIdentifier('invoice', randomBytes),
    amountMinor: 2_900,
    currency: 'EUR',
    card: { number, expMonth: 12, expYear: 2030, name: 'Ada Example', cvc: '737' },
    gatewayRequest: null,
    scheme: 'visa',
    incremental: true,
    mayFallBackToSale: false,
    mustSell: false,
    isMerchantInitiated: false,
    initialSchemeTransactionId: null,
    statementDescriptor: null,
    ...overrides,
  })

  return {
    gateway,
    gatewayConfigurationId,
    clock,
    execute,
    readLog,
    dump,
    drop,
    makeReference,
    requestOf,
    /** The overrides that let a card play the scenario of a cardholder's name. */
    named: (scenario: string, number = APPROVED): Partial<AuthorizeRequest> => ({
      card: { number, expMonth: 12, expYear: 2030, name: `SANDBOX:${scenario}`, cvc: '737' },
    }),
    /** How many statements the simulator has run so far. */
    statements: () => statements,
    lookUp: (reference: string, type: GatewayOperationType = 'authorization') =>
      gateway.lookUp({ ...access, gatewayConfigurationId, gatewayAuthorizationId: null, reference, type }, patience()),
    /** An approved authorization, with requests for later steps on it and the simulator's own totals of it. */
    async authorize(number: string, overrides: Partial<AuthorizeRequest> = {}) {
      const request = requestOf(number, overrides)
      const outcome = await gateway.authorize(request, patience())
      if (outcome.kind !== 'approved') throw new Error(`Expected an approval, got ${JSON.stringify(outcome)}.`)
      return {
        request,
        outcome,
        followUp: (amountMinor: number) => ({
          ...access,
          settings: request.settings,
          reference: makeReference(),
          gatewayConfigurationId: request.gatewayConfigurationId,
          invoiceId: request.invoiceId,
          amountMinor,
          currency: request.currency,
          gatewayAuthorizationId: outcome.gatewayOperationId,
        }),
        held: async () => (await readLog({ authorizationId: outcome.gatewayOperationId })).authorizations[0],
      }
    },
  }
}
