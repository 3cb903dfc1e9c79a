import type { AuthenticationRequest } from '../../domain/authentication.ts'
import type { RequestedAction } from '../../domain/customer-action.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { GatewayOperationType, Outcome } from '../../domain/operation.ts'
import type { AuthorizeRequest, ContinueRequest, Gateway } from '../../src/gateways/gateway.ts'
import { createSimulator } from '../../src/gateways/simulator/adapter.ts'
import { createSimulatedBank } from '../../src/gateways/simulator/bank.ts'
import type { Execute } from '../../src/gateways/simulator/ledger.ts'
import { readSimulatorLog, type SimulatorLogFilter } from '../../src/gateways/simulator/read-log.ts'
import { execute as runStatement } from '../../src/persistence/statements.ts'
import { fixedClock } from '../support/clock.ts'
import { makeDatabase } from '../support/database.ts'
import { forFile } from '../support/for-file.ts'
import { seededRandomBytes } from '../support/random.ts'
import { CUSTOMER_PRESENT, PLAIN_PAYMENT, RETURN_URL } from './contract-authentication.ts'

export const APPROVED = '4242424242424242'

/** Long enough for any answer; a test that needs it to pass has failed. */
export const patience = () => AbortSignal.timeout(20_000)

export { RETURN_URL }

/** The customer is there and can act. */
export const withCustomer = (more: Partial<AuthenticationRequest> = {}): AuthenticationRequest => ({
  ...CUSTOMER_PRESENT,
  ...more,
})

/** As a native library sends it. */
export const DEVICE = {
  sdkAppID: 'b5b4a0a4-5b9c-4a5b-8b5a-0a5b9c4a5b8b',
  sdkEphemPubKey: { crv: 'P-256', kty: 'EC', x: 'r1pXkqW_Rfw2iFg1', y: 'p4Yg3rCq8Gx1aZ0s' },
  sdkReferenceNumber: '3DS_LOA_SDK_TEST_020200_00001',
  sdkTransID: 'd1c2b3a4-0f1e-4d2c-9b3a-a4b5c6d7e8f9',
  sdkEncData: 'eyJhbGciOiJFQ0RILUVTIn0..aXY.Y2lwaGVy.dGFn',
}

/** The action that an outcome asks for. */
export function actionIn(outcome: Outcome): RequestedAction {
  if (outcome.kind !== 'action-required') throw new Error(`Expected an action, got ${JSON.stringify(outcome)}.`)
  return outcome.action
}

/** The browser is back, with nothing that proves anything. */
export const RETURNED: ContinueRequest['answer'] = { kind: 'returned', parameters: {} }

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
    ...PLAIN_PAYMENT,
    ...access,
    reference: makeReference(),
    gatewayConfigurationId,
    invoiceId: makeIdentifier('invoice', randomBytes),
    card: { number, expMonth: 12, expYear: 2030, name: 'Ada Example', cvc: '737' },
    incremental: true,
    ...overrides,
  })

  const bank = createSimulatedBank({ execute, clock })

  /** Goes on with an authorization, over this gateway or another one. */
  const goOn = (
    request: AuthorizeRequest,
    { continuation }: Pick<RequestedAction, 'continuation'>,
    answer: ContinueRequest['answer'],
    over: Gateway = gateway,
  ): Promise<Outcome> => {
    if (over.continueAuthorization === undefined) throw new Error('The simulator cannot go on.')
    return over.continueAuthorization({ ...request, continuation, answer }, patience())
  }

  /** The customer takes an action as a bank wishes it, and returns. */
  const act = async ({ type, continuation }: RequestedAction): Promise<ContinueRequest['answer']> => {
    switch (type) {
      case 'fingerprint': {
        const page = await bank.open(continuation)
        const isBack = page.kind === 'fingerprint' && page.back !== null
        return isBack ? RETURNED : { kind: 'fingerprint timed out' }
      }
      case 'redirect':
      case 'url':
        await bank.answer(continuation, { kind: 'code', code: '1234' })
        return RETURNED
      case 'fingerprint-mobile':
        return { kind: 'device data', data: DEVICE }
      case 'challenge-mobile':
        return { kind: 'challenge result', transStatus: 'Y' }
    }
  }

  return {
    gateway,
    bank,
    goOn,
    act,
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

export const simulatorForFile = (seed: string): Awaited<ReturnType<typeof makeSimulator>> =>
  forFile(
    () => makeSimulator(seed),
    (simulator) => simulator.drop(),
  )
