import type { CustomerAnswer } from '../../../domain/customer-action.ts'
import { type GatewayOperationType, type LookUp, notSent, type Outcome } from '../../../domain/operation.ts'
import type { AuthorizeRequest, Gateway, LookUpRequest } from '../../../src/gateways/gateway.ts'

/** How an account differs from one that can do everything. */
export interface Account {
  /** It takes the money with every authorization. */
  isSaleOnly: boolean
  /** It reserves the money as soon as the customer has authenticated, as Stripe does, and not on another call of ours. */
  goesOnByItself: boolean
  /** What a look-up finds: every call, one that is an hour old, or nothing, since there is none. */
  reads: 'at once' | 'late' | 'never'
}

export const ACCOUNTS = {
  plain: { isSaleOnly: false, goesOnByItself: false, reads: 'at once' },
  'by itself': { isSaleOnly: false, goesOnByItself: true, reads: 'late' },
  'without look-ups': { isSaleOnly: false, goesOnByItself: false, reads: 'never' },
  'sale only': { isSaleOnly: true, goesOnByItself: true, reads: 'at once' },
} as const satisfies Record<string, Account>
export type AccountName = keyof typeof ACCOUNTS

/**
 * What goes wrong around a call, whatever the scenario: the answer gets lost; the request never arrives; the worker dies
 * between its attempt and the call, and another one does the step again; our guard does not send it, since the circuit is
 * open or no place is free; the credentials do not open; the gateway fails and does nothing.
 */
export const FAULTS = ['lost', 'unsent', 'died', 'circuit open', 'no credentials', 'gateway error'] as const
export type Fault = 'none' | (typeof FAULTS)[number]

/** How long a call may be missing from what a look-up finds late. */
const LAG_MS = 60 * 60 * 1000

/** What we get to hear of a step. */
export type Heard =
  | { kind: 'approved'; amountMinor: number; isSale: boolean }
  /** `isPassing`: the clock may try it again. */
  | { kind: 'declined'; isPassing: boolean }
  /** There is no end yet. */
  | { kind: 'open' }
  /** The customer has to act. */
  | { kind: 'asks' }
  /** The gateway knows of no such call, if its books are not behind. */
  | { kind: 'never seen'; lagMs: number }

interface Message {
  reference: string
  of: 'call' | 'look-up'
  said: Outcome | Exclude<LookUp, { kind: 'found' }>
}

/** What is known of a step, for what is heard of it. */
interface About {
  /** Our own void at the end of an authorization. */
  isExpiry: boolean
  /** That a call was not sent does not prove that no money moved, or the call is sent later. */
  staysOpen: boolean
}

/** The declines that the clock may try again. */
const PASSING = ['gateway.internal-error', 'gateway.network-error']

/** What the last of the messages about a step tells. */
function heardIn(messages: readonly Message[], { isExpiry, staysOpen }: About): Heard | null {
  const last = messages.at(-1)
  if (last === undefined) return null
  const { said } = last
  switch (said.kind) {
    case 'approved':
      return { kind: 'approved', amountMinor: said.amountMinor, isSale: said.isSale === true }
    case 'action-required':
      return { kind: 'asks' }
    case 'never-seen':
      return { kind: 'never seen', lagMs: said.lagMs ?? 0 }
    case 'declined': {
      // That a repeated call was not taken up says nothing about the first one.
      const isRepeated = last.of === 'call' && messages.length > 1
      if (said.isNotSent ? staysOpen || isRepeated : isRepeated && said.code === 'gateway.transaction-not-found')
        return { kind: 'open' }
      // At the end of an authorization only one refusal tells anything: that the money is free. It may have been taken.
      const isFree = said.holdsNothing === true || said.code === 'gateway.expired'
      return isExpiry && !isFree ? { kind: 'open' } : { kind: 'declined', isPassing: PASSING.includes(said.code) }
    }
    default:
      return { kind: 'open' }
  }
}

/** What is done in place of a call that is made to go wrong. */
const IN_PLACE: Partial<Record<Fault, (call: () => Promise<Outcome>) => Promise<Outcome>>> = {
  lost: async (call) => {
    await call()
    throw new Error('The connection was closed before the answer came.')
  },
  unsent: () => Promise.reject(new Error('The connection was closed before anything was sent.')),
  'circuit open': () => Promise.resolve(notSent('CIRCUIT_OPEN')),
  'gateway error': () => Promise.resolve({ kind: 'declined', code: 'gateway.internal-error', gatewayCode: '500' }),
}

const GIVEN_UP: Outcome = { kind: 'declined', code: 'card.failed-3ds', gatewayCode: 'GIVEN_UP' }
const RETURNED: CustomerAnswer & { kind: 'returned' } = { kind: 'returned', parameters: {} }

/** The gateway of an account whose next call can be made to go wrong, and what it has told us. */
export function createFaultyGateway({ goesOnByItself, reads }: Account) {
  let next: Fault = 'none'
  let now = 0
  let messages: Message[] = []
  let wasUnopened = false
  /** The authorizations of which we know that they are approved. */
  const approvals = new Set<string>()
  const arrivals = new Map<string, number>()
  const asked = new Map<string, AuthorizeRequest>()
  const givenUp = new Set<string>()
  let simulator: Gateway | null = null

  const tell = (message: Message, type: GatewayOperationType) => {
    messages.push(message)
    if (type === 'authorization' && message.said.kind === 'approved') approvals.add(message.reference)
  }
  const faulty =
    <Request extends { reference: string }>(
      type: GatewayOperationType,
      call: (request: Request, signal: AbortSignal) => Promise<Outcome>,
      { provesNothing = false }: { provesNothing?: boolean } = {},
    ) =>
    async (request: Request, signal: AbortSignal): Promise<Outcome> => {
      const { reference } = request
      const fault = IN_PLACE[next]
      if (fault !== undefined) next = 'none'
      const arrive = () => {
        if (!arrivals.has(reference)) arrivals.set(reference, now)
        return givenUp.has(reference) ? Promise.resolve(GIVEN_UP) : call(request, signal)
      }
      try {
        const heard = await (fault === undefined ? arrive() : fault(arrive))
        const isOpen = provesNothing && heard.kind === 'declined' && PASSING.includes(heard.code)
        const said: Outcome = isOpen ? { kind: 'unknown', reason: heard.code } : heard
        tell({ reference, of: 'call', said }, type)
        return said
      } catch (error) {
        tell({ reference, of: 'call', said: { kind: 'unknown', reason: 'no answer' } }, type)
        throw error
      }
    }
  const find = async (inner: Gateway, request: LookUpRequest, signal: AbortSignal): Promise<LookUp> => {
    if (reads === 'never') return { kind: 'not-offered' }
    const lag = reads === 'late' ? { lagMs: LAG_MS } : {}
    if (reads === 'late' && now - (arrivals.get(request.reference) ?? 0) < LAG_MS) return { kind: 'never-seen', ...lag }
    if (givenUp.has(request.reference)) return { kind: 'found', outcome: GIVEN_UP }
    const found = await inner.lookUp(request, signal)
    return found.kind === 'never-seen' ? { ...found, ...lag } : found
  }

  return {
    wrap(inner: Gateway): Gateway {
      simulator = inner
      const { continueAuthorization, authorizesInContinuation: _, ...same } = inner
      if (continueAuthorization === undefined) throw new Error('The simulator asks customers to act.')
      const note = async (request: LookUpRequest, found: LookUp): Promise<LookUp> => {
        const said = found.kind === 'found' ? found.outcome : found
        tell({ reference: request.reference, of: 'look-up', said }, request.type)
        return found
      }
      return {
        ...same,
        authorize: faulty('authorization', (request: AuthorizeRequest, signal) => {
          asked.set(request.reference, request)
          return inner.authorize(request, signal)
        }),
        // An adapter says that such a gateway could not be asked, and not that it has declined.
        continueAuthorization: faulty('authorization', continueAuthorization, { provesNothing: goesOnByItself }),
        capture: faulty('capture', inner.capture),
        increment: faulty('increment_authorization', inner.increment),
        void: faulty('void', inner.void),
        refund: faulty('refund', inner.refund),
        lookUp: async (request, signal) => note(request, await find(inner, request, signal)),
        ...(goesOnByItself
          ? {
              async endAuthentication(request, signal) {
                const found = await inner.lookUp(request, signal)
                const isOver = found.kind === 'found' && found.outcome.kind !== 'action-required'
                if (!isOver) givenUp.add(request.reference)
                return note(request, isOver ? found : { kind: 'found', outcome: GIVEN_UP })
              },
            }
          : { authorizesInContinuation: true as const }),
      }
    },
    /** Credentials open, unless they are made not to. */
    guardCredentials<Row, Opened>(open: (row: Row) => Opened) {
      return (row: Row): Opened => {
        if (next === 'no credentials') {
          next = 'none'
          wasUnopened = true
          throw new Error('The key of the credentials is missing.')
        }
        return open(row)
      }
    },
    /** The customer has authenticated on the page of the bank. */
    async customerHasActed(reference: string, continuation: string): Promise<void> {
      const request = asked.get(reference)
      if (!goesOnByItself || request === undefined || givenUp.has(reference)) return
      await simulator?.continueAuthorization?.(
        { ...request, continuation, answer: RETURNED },
        AbortSignal.timeout(9_000),
      )
    },
    /** A fault for the next call; what was told before is forgotten. `at`: the time of the payment. */
    plan(fault: Fault, at: number): void {
      // A worker that dies is no fault of the gateway.
      next = fault === 'died' ? 'none' : fault
      now = at
      messages = []
      wasUnopened = false
    },
    /** What was told of a step since the last plan; null where nothing was. */
    heard(reference: string, about: About): Heard | null {
      const ofStep = messages.filter((message) => message.reference === reference)
      const isUnsent = wasUnopened && ofStep.length === 0
      return heardIn(isUnsent ? [{ reference, of: 'call', said: notSent('CREDENTIALS_NOT_OPENED') }] : ofStep, about)
    },
    /** Whether it has told us that this authorization is approved. */
    hasToldApproved: (reference: string): boolean => approvals.has(reference),
  }
}

export type FaultyGateway = ReturnType<typeof createFaultyGateway>
