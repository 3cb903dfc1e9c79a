import { expect } from '@jest/globals'
import type {
  AuthenticationRequest,
  AuthenticationResult,
  ExternalAuthentication,
} from '../../domain/authentication.ts'
import { ACTIONS_MAX, type BankPage, type RequestedAction } from '../../domain/customer-action.ts'
import type { Outcome } from '../../domain/operation.ts'
import type { AuthorizeRequest, ContinueRequest, Gateway, LookUpRequest } from '../../src/gateways/gateway.ts'
import type { Trouble } from './contract/harness.ts'
import { approved, expectDeclined, expectWhole } from './contract/outcomes.ts'

/** Where the bank's page sends the browser of these tests. */
export const RETURN_URL = 'https://pay.holdfast.example/three-d-s/iv_1/tr_op_1/return'

/** Nobody can act, and nobody asks for an authentication. */
export const NOBODY_TO_ACT: AuthenticationRequest = {
  isPossible: false,
  isRequired: false,
  challengeIndicator: null,
  exemption: null,
  channel: 'web',
  returnUrl: null,
  external: null,
}

/** The customer sits before a browser. */
export const CUSTOMER_PRESENT: AuthenticationRequest = { ...NOBODY_TO_ACT, isPossible: true, returnUrl: RETURN_URL }

/** A challenge that the merchant has let another provider make. */
export const EXTERNAL: ExternalAuthentication = {
  ...{ version: '2.2.0', transStatus: 'Y', eci: '05', cavv: 'AAABAWFlmQAAAABjRWWZEEFgFz8=', xid: null },
  ...{ dsTransId: 'f38e6948-5388-41a6-bca4-b49723c19437', wasChallenged: true },
}

/** What an authorization of 29 EUR asks for unless a test says otherwise, but for its ids, its account and its card. */
export const PLAIN_PAYMENT = {
  ...{ amountMinor: 2_900, currency: 'EUR', scheme: 'visa', gatewayRequest: null, incremental: false },
  ...{ mayFallBackToSale: false, mustSell: false, isMerchantInitiated: false, initialSchemeTransactionId: null },
  ...{ statementDescriptor: null, authentication: NOBODY_TO_ACT },
}

type Answer = ContinueRequest['answer']

/** What an adapter's test brings along so that the cases can judge how it lets customers authenticate. */
export interface AuthenticationHarness {
  gateway: Gateway
  /** The same gateway over a line with this trouble, which all of its calls have. */
  over(trouble: Trouble): Promise<Gateway>
  /** With a reference and an invoice of its own; its customer has to act. */
  request(overrides?: Partial<AuthorizeRequest>): AuthorizeRequest
  /** The customer takes the action, and passes or fails; this is what the browser brings back. */
  act(action: RequestedAction, passes: boolean): Promise<Answer>
  /** The approved authorizations of an invoice in the gateway's own ledger. */
  countAuthorizations(invoiceId: string): Promise<number>
}

interface AuthenticationCase {
  name: string
  check(harness: AuthenticationHarness): Promise<void>
}

/** Long enough for any answer; a test that needs it to pass has failed. */
const patience = () => AbortSignal.timeout(20_000)

/** Longer than the 16 kB that an action may have us keep. */
const TOO_LONG = 'x'.repeat(16 * 1024 + 1)

/** What no adapter has written. The last but one has the form of an id, and leads elsewhere. */
const FORGED = ['', 'approved', '{}', 'null', '[]', '{"step":"redirect"}', 'pi_1/../../customers', TOO_LONG] as const

/** What browsers bring back that no bank has sent. */
const NONSENSE: readonly Readonly<Record<string, string>>[] = [
  {},
  { redirectResult: '', cres: '', threeDSMethodData: '', PaRes: '', MD: '' },
  { redirectResult: 'approved', cres: 'approved', threeDSMethodData: 'approved', redirect_status: 'succeeded' },
  { cres: Buffer.from('{"transStatus":"Y","messageType":"CRes"}').toString('base64url') },
  { cres: TOO_LONG, redirectResult: TOO_LONG, threeDSMethodData: TOO_LONG },
]

/** What every adapter that asks customers to act must do. Source: the comments of `Gateway`. */
export const AUTHENTICATION_CASES: readonly AuthenticationCase[] = [
  {
    name: 'asks for an action without charging anything',
    async check(harness) {
      const request = harness.request()

      expectAction(await harness.gateway.authorize(request, patience()))
      expect(await harness.countAuthorizations(request.invoiceId)).toBe(0)
    },
  },
  {
    name: 'declines a card that needs its customer if nobody can act, and charges nothing',
    async check(harness) {
      const request = harness.request({ authentication: NOBODY_TO_ACT })

      const outcome = await harness.gateway.authorize(request, patience())

      expect(outcome).toMatchObject({ kind: 'declined', code: 'card.needs-authentication' })
      expect(await harness.countAuthorizations(request.invoiceId)).toBe(0)
    },
  },
  {
    name: 'declines a customer who fails, and charges nothing',
    async check(harness) {
      const request = harness.request()

      const outcome = await walk(harness, request, false)

      expect(outcome).toMatchObject({ kind: 'declined', code: 'card.failed-3ds' })
      if (outcome.kind === 'declined' && outcome.authentication !== undefined) {
        expectWholeAuthentication(outcome.authentication)
        expect(outcome.authentication).toMatchObject({ status: 'failed', hasLiabilityShift: false })
      }
      expect(await harness.countAuthorizations(request.invoiceId)).toBe(0)
    },
  },
  {
    name: 'does not let the authentication of one payment pay for another one',
    async check(harness) {
      const [first, second] = [harness.request(), harness.request()]
      const asked = expectAction(await harness.gateway.authorize(first, patience()))
      expectAction(await harness.gateway.authorize(second, patience()))
      const answer = await harness.act(asked, true)

      expectDeclined(await goOn(harness.gateway, second, asked.continuation, answer))
      expect(await harness.countAuthorizations(second.invoiceId)).toBe(0)
    },
  },
  {
    name: 'refuses a continuation that it has not written, or that is too long',
    async check(harness) {
      const request = harness.request()
      const asked = expectAction(await harness.gateway.authorize(request, patience()))
      const answer = await harness.act(asked, true)

      for (const forged of FORGED) expectDeclined(await goOn(harness.gateway, request, forged, answer))
      expect((await walk(harness, request, true)).kind).toBe('approved')
    },
  },
  {
    name: 'approves nothing by what a browser brings along',
    async check(harness) {
      for (const parameters of NONSENSE) {
        const request = harness.request()
        const asked = expectAction(await harness.gateway.authorize(request, patience()))

        const outcome = await goOn(harness.gateway, request, asked.continuation, { kind: 'returned', parameters })

        expect(['declined', 'action-required']).toContain(outcome.kind)
        expect(await harness.countAuthorizations(request.invoiceId)).toBe(0)
      }
    },
  },
  {
    name: 'does not know the outcome of a lost answer, and learns it by the same answer without charging twice',
    async check(harness) {
      const losing = await harness.over({ kind: 'loses-answers' })
      const request = harness.request()
      const { continuation, answer } = await walkToLastAnswer(harness, request)

      expect((await goOn(losing, request, continuation, answer)).kind).toBe('unknown')
      const outcome = await goOn(harness.gateway, request, continuation, answer)

      expect(approved(outcome)).toMatchObject({ amountMinor: request.amountMinor, currency: request.currency })
      expect(await harness.countAuthorizations(request.invoiceId)).toBe(1)
    },
  },
  {
    name: 'does not know the outcome if the wait has ended, or if the gateway answers nonsense',
    async check(harness) {
      const request = harness.request()
      const { continuation, answer } = await walkToLastAnswer(harness, request)
      const ended = AbortSignal.abort()

      expect((await goOn(harness.gateway, request, continuation, answer, ended)).kind).toBe('unknown')
      for (const text of ['', '{}', '[]', '"approved"', '<html>']) {
        const inventing = await harness.over({ kind: 'answers', text })
        expect((await goOn(inventing, request, continuation, answer)).kind).toBe('unknown')
      }
    },
  },
  {
    name: 'says of a call that could not be sent either so, or that it does not know',
    async check(harness) {
      const unreachable = await harness.over({ kind: 'refuses-connections' })
      const request = harness.request()
      const { continuation, answer } = await walkToLastAnswer(harness, request)

      const outcome = await goOn(unreachable, request, continuation, answer)

      if (outcome.kind !== 'unknown') expect(outcome).toMatchObject({ kind: 'declined', isNotSent: true })
      approved(await goOn(harness.gateway, request, continuation, answer))
    },
  },
  {
    name: 'approves a customer who passes, and reports how',
    async check(harness) {
      const request = harness.request()

      const outcome = await walk(harness, request, true)

      const { amountMinor, currency, authentication } = approved(outcome)
      expect([amountMinor, currency]).toEqual([request.amountMinor, request.currency])
      expectWhole(outcome)
      expect(authentication).toMatchObject({ status: 'authenticated' })
      if (authentication !== undefined) expectWholeAuthentication(authentication)
      expect(await harness.countAuthorizations(request.invoiceId)).toBe(1)
    },
  },
  {
    name: 'answers a repeated answer like the first, also when twenty arrive together, and charges once',
    async check(harness) {
      const request = harness.request()
      const { continuation, answer } = await walkToLastAnswer(harness, request)

      const ask = () => goOn(harness.gateway, request, continuation, answer)
      const outcomes = await Promise.all(Array.from({ length: 20 }, ask))

      const certain = outcomes.filter(({ kind }) => kind !== 'unknown')
      expect(certain[0]?.kind).toBe('approved')
      for (const outcome of certain) expect(outcome).toEqual(certain[0])
      expect(await ask()).toEqual(certain[0])
      expect(await harness.countAuthorizations(request.invoiceId)).toBe(1)
    },
  },
  {
    name: 'finds by a look-up that a payment waits for its customer, or has no look-up',
    async check(harness) {
      const request = harness.request()
      const outcome = await harness.gateway.authorize(request, patience())

      const found = await harness.gateway.lookUp(questionOf(request), patience())

      if (found.kind !== 'not-offered') expect(found).toEqual({ kind: 'found', outcome })
    },
  },
  {
    name: 'approves nothing after an authentication was ended, where it can approve without a further call',
    async check({ gateway, ...harness }) {
      if (gateway.endAuthentication === undefined) return
      const request = harness.request()
      const asked = expectAction(await gateway.authorize(request, patience()))
      const question = { ...questionOf(request), continuation: asked.continuation }

      const ended = await gateway.endAuthentication(question, patience())
      const answer = await harness.act(asked, true)

      expect(ended).toMatchObject({ kind: 'found', outcome: { kind: 'declined' } })
      expect(await gateway.endAuthentication(question, patience())).toEqual(ended)
      expectDeclined(await goOn(gateway, request, asked.continuation, answer))
      expect(await gateway.lookUp(questionOf(request), patience())).toEqual(ended)
      expect(await harness.countAuthorizations(request.invoiceId)).toBe(0)
    },
  },
  {
    name: 'ends no authentication that was faster, or of another payment, or out of reach',
    async check({ gateway, ...harness }) {
      if (gateway.endAuthentication === undefined) return
      const request = harness.request()
      const asked = expectAction(await gateway.authorize(request, patience()))
      const question = { ...questionOf(request), continuation: asked.continuation }
      for (const trouble of [{ kind: 'loses-answers' }, { kind: 'refuses-connections' }] as const) {
        const troubled = await harness.over(trouble)
        const other = harness.request()
        const { continuation } = expectAction(await gateway.authorize(other, patience()))
        const ended = await troubled.endAuthentication?.({ ...questionOf(other), continuation }, patience())
        expect(ended?.kind).toBe('unreachable')
      }
      const foreign = { ...question, reference: harness.request().reference }
      expect((await gateway.endAuthentication(foreign, patience())).kind).toBe('unreachable')
      for (const continuation of FORGED)
        expect((await gateway.endAuthentication({ ...question, continuation }, patience())).kind).toBe('unreachable')

      await harness.act(asked, true)

      const found = await gateway.endAuthentication(question, patience())
      expect(found).toMatchObject({ kind: 'found', outcome: { kind: 'approved' } })
      expect(await harness.countAuthorizations(request.invoiceId)).toBe(1)
    },
  },
]

/** The action of an outcome, whole: pages are encrypted ones, and what is to be kept fits. */
export function expectAction(outcome: Outcome): RequestedAction {
  if (outcome.kind !== 'action-required') throw new Error(`Expected an action, got ${JSON.stringify(outcome)}.`)
  const { action } = outcome
  expect(action.continuation.length).toBeGreaterThan(0)
  expect(Buffer.byteLength(action.continuation)).toBeLessThanOrEqual(16 * 1024)
  if ('page' in action) expectPage(action.page)
  else expect(Object.keys(action.data)).not.toEqual([])
  return action
}

function expectPage({ url, fields }: BankPage): void {
  expect(url).toMatch(/^https:\/\/./)
  if (fields !== null) for (const value of Object.values(fields)) expect(typeof value).toBe('string')
}

/** Every field has a value of its own type, and no liability shifts without an authentication. */
export function expectWholeAuthentication(result: AuthenticationResult): void {
  const transStatus = expect.stringMatching(/^[YACNRUI]$/)
  const orNull = (value: unknown, matcher: unknown) => (value === null ? null : matcher)
  expect(result).toEqual({
    version: expect.stringMatching(/^[12](\.\d+){0,2}$/),
    status: expect.stringMatching(/^(authenticated|attempted|failed|rejected|unavailable)$/),
    aresTransStatus: orNull(result.aresTransStatus, transStatus),
    cresTransStatus: orNull(result.cresTransStatus, transStatus),
    eci: orNull(result.eci, expect.stringMatching(/^\d{2}$/)),
    dsTransId: orNull(result.dsTransId, expect.stringMatching(/./)),
    serverTransId: orNull(result.serverTransId, expect.stringMatching(/./)),
    fingerprintCompleted: orNull(result.fingerprintCompleted, expect.any(Boolean)),
    wasChallenged: expect.any(Boolean),
    hasLiabilityShift: expect.any(Boolean),
  })
  if (result.hasLiabilityShift) expect(['authenticated', 'attempted']).toContain(result.status)
}

export function goOn(
  gateway: Gateway,
  request: AuthorizeRequest,
  continuation: string,
  answer: Answer,
  signal = patience(),
): Promise<Outcome> {
  if (gateway.continueAuthorization === undefined) throw new Error('The adapter cannot go on after an action.')
  return gateway.continueAuthorization({ ...stepOf(request), continuation, answer }, signal)
}

/** Everything of an authorization that a call on it repeats. */
function stepOf(request: AuthorizeRequest): Omit<ContinueRequest, 'continuation' | 'answer'> {
  const { gatewayConfigurationId, credentials, settings, authentication } = request
  const { reference, invoiceId, amountMinor, currency } = request
  return { gatewayConfigurationId, credentials, settings, authentication, reference, invoiceId, amountMinor, currency }
}

function questionOf({ gatewayConfigurationId, credentials, settings, reference }: AuthorizeRequest): LookUpRequest {
  return {
    gatewayConfigurationId,
    credentials,
    settings,
    reference,
    type: 'authorization',
    gatewayAuthorizationId: null,
  }
}

/** The outcome after the customer has passed, or failed, every action that is asked for. */
async function walk(harness: AuthenticationHarness, request: AuthorizeRequest, passes: boolean): Promise<Outcome> {
  let outcome = await harness.gateway.authorize(request, patience())
  for (let actions = 0; outcome.kind === 'action-required' && actions < ACTIONS_MAX; actions += 1) {
    const action = expectAction(outcome)
    outcome = await goOn(harness.gateway, request, action.continuation, await harness.act(action, passes))
  }
  return outcome
}

/**
 * The customer has passed every action; the last answer has not been handed on. A second payment shows which one is
 * last.
 */
async function walkToLastAnswer(harness: AuthenticationHarness, request: AuthorizeRequest) {
  const count = await countActions(harness)
  let action = expectAction(await harness.gateway.authorize(request, patience()))
  for (let actions = 1; actions < count; actions += 1) {
    const answer = await harness.act(action, true)
    action = expectAction(await goOn(harness.gateway, request, action.continuation, answer))
  }
  return { continuation: action.continuation, answer: await harness.act(action, true) }
}

async function countActions(harness: AuthenticationHarness): Promise<number> {
  const request = harness.request()
  let outcome = await harness.gateway.authorize(request, patience())
  let count = 0
  while (outcome.kind === 'action-required' && count < ACTIONS_MAX) {
    count += 1
    const { action } = outcome
    outcome = await goOn(harness.gateway, request, action.continuation, await harness.act(action, true))
  }
  return count
}
