import fc from 'fast-check'
import { ACCOUNTS, type AccountName, FAULTS, type Fault } from './faulty-gateway.ts'

/** What every invoice of the model asks for, and the lines that it consists of, in minor units. */
export const INVOICE_MINOR = 2_900
export const LINE_AMOUNTS = [1_000, 900, 1_000] as const

const HOUR_MS = 60 * 60 * 1000

/** The scenarios of the simulator for an authorization. */
const AUTHORIZATIONS = [
  'do-not-honor',
  'connection-refused',
  'partial-approval',
  'sale-only',
  'authorization-lost-approved',
  'authorization-lost-declined',
  'authorization-approved-late',
  'authorization-never-resolved',
  'three-d-s-required',
  'three-d-s-challenge-fails',
] as const
/** Those for what comes later, after an authorization that is approved. */
const LATER = [
  'capture-fails',
  'second-capture-fails',
  'capture-fails-twice',
  'increment-fails',
  'void-fails',
  'refunds-declined',
  'capture-pending-approved',
  'capture-pending-declined',
  'refund-pending-approved',
  'refund-pending-declined',
  'refund-fails-later',
  'capture-lost',
  'capture-never-resolved',
  'increment-lost',
  'increment-never-resolved',
  'void-lost',
  'void-never-resolved',
  'refund-lost',
  'refund-never-resolved',
  'chargeback',
  'chargeback-won',
  'chargeback-lost',
  'retrieval-request',
  'fraud-notification',
] as const
export type Scenario = 'approved' | (typeof AUTHORIZATIONS)[number] | (typeof LATER)[number]

/** When a capture is to be made, counted from now, and of what; all of it where neither amount nor lines are given. */
export interface Plan {
  inMs: number
  amount: number | null
  lines: number[] | null
}

interface RequestOptions {
  fault: Fault
  /** Whether the request carries an idempotency key. */
  keyed: boolean
  /** Whether the merchant asks also for what must be refused; most know better. */
  insists: boolean
}

/** In minor units, or as a share of all that can be asked for at the time; null leaves it open. */
export type Amount = number | { share: number } | null

/** One thing that happens. The fields are few, so that a failure can be read. */
export type Step =
  | ({
      do: 'authorize'
      scenario: Scenario
      incremental: boolean
      fallback: boolean
      plan: Plan | null
    } & RequestOptions)
  | ({ do: 'sell'; scenario: Scenario; amount: number | null; isFinal: boolean } & RequestOptions)
  | ({ do: 'capture'; amount: Amount; lines: number[] | null; isFinal: boolean; wantsRest: boolean } & RequestOptions)
  | ({ do: 'schedule'; plan: Plan | null } & RequestOptions)
  | ({ do: 'increment'; amount: number } & RequestOptions)
  | ({ do: 'void'; amount: Amount } & RequestOptions)
  | ({ do: 'refund'; amount: Amount; lines: number[] | null } & RequestOptions)
  /** Another tab of the customer pays what is paid, or being paid, with the first card or another one. */
  | { do: 'another tab'; sells: boolean; sameCard: boolean }
  /** The customer authenticates, and may come back. */
  | { do: 'authenticate'; returns: boolean; fault: Fault }
  /** The invoice asks for something else, after its payment has failed. */
  | { do: 'change the invoice'; amountMinor: number; currency: string }
  /** A step of one of two disputes, about a share of what is captured, or about all of it. */
  | { do: 'dispute'; id: string; step: 'created' | 'won' | 'lost'; share: number | null }
  /** The next call of our own clock meets a fault, or the capture that follows an authorization in the same request. */
  | { do: 'hinder the next'; fault: Fault }
  /** A request comes again: as the same step, or anew with the same key. */
  | { do: 'repeat'; which: number; as: 'step' | 'request' }
  | { do: 'look up'; which: number }
  | { do: 'resolve'; which: number; truthfully: boolean }
  | { do: 'hear notifications' }
  /** `wakes`: whether what is due by then is done before anything else comes. */
  | { do: 'wait'; ms: number; wakes: boolean }

/** Everything, parts of what is left, nothing, too much, and whatever comes. */
const amounts = fc.oneof<fc.WeightedArbitrary<Amount>[]>(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 8, arbitrary: fc.record({ share: fc.constantFrom(0.2, 0.5, 1) }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 1_000, INVOICE_MINOR, INVOICE_MINOR + 1) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 4_000 }) },
)
const lines = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.uniqueArray(fc.nat({ max: LINE_AMOUNTS.length - 1 }), {
      minLength: 1,
      maxLength: LINE_AMOUNTS.length,
    }),
  },
)
const plans = fc.record({
  inMs: fc.constantFrom(0, HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS, 8 * 24 * HOUR_MS),
  amount: fc.option(fc.integer({ min: 1, max: INVOICE_MINOR }), { nil: null }),
  lines,
})
const asked = {
  fault: fc.oneof(
    { weight: 9, arbitrary: fc.constant<Fault>('none') },
    { weight: 3, arbitrary: fc.constantFrom<Fault>(...FAULTS) },
  ),
  keyed: fc.boolean(),
  insists: fc.oneof({ weight: 1, arbitrary: fc.constant(true) }, { weight: 3, arbitrary: fc.constant(false) }),
}
const scenario = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Scenario>('approved') },
  { weight: 2, arbitrary: fc.constantFrom<Scenario>(...AUTHORIZATIONS) },
  { weight: 7, arbitrary: fc.constantFrom<Scenario>(...LATER) },
)

const step = <D extends Step['do']>(
  weight: number,
  name: D,
  fields: { [K in Exclude<keyof Extract<Step, { do: D }>, 'do'>]: fc.Arbitrary<Extract<Step, { do: D }>[K]> },
) => ({ weight, arbitrary: fc.record({ do: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Step> })

const bool = fc.boolean()
const mostly = fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) })
const seldom = mostly.map((value) => !value)
/** Counted from the last one back. */
const which = fc.nat({ max: 5 })
/** The steps by their names, each with how often it comes. */
const STEPS = {
  authorize: step(1, 'authorize', {
    scenario,
    incremental: mostly,
    fallback: mostly,
    plan: fc.option(plans, { nil: null, freq: 2 }),
    ...asked,
  }),
  sell: step(1, 'sell', {
    scenario,
    amount: fc.option(fc.integer({ min: 1, max: INVOICE_MINOR }), { nil: null }),
    isFinal: bool,
    ...asked,
  }),
  capture: step(12, 'capture', { amount: amounts, lines, isFinal: seldom, wantsRest: mostly, ...asked }),
  schedule: step(3, 'schedule', { plan: fc.option(plans, { nil: null }), ...asked }),
  increment: step(6, 'increment', { amount: fc.constantFrom(1, 500, INVOICE_MINOR), ...asked }),
  void: step(4, 'void', { amount: amounts, ...asked }),
  refund: step(12, 'refund', { amount: amounts, lines, ...asked }),
  'another tab': step(3, 'another tab', { sells: bool, sameCard: bool }),
  authenticate: step(3, 'authenticate', { returns: mostly, fault: asked.fault }),
  'change the invoice': step(2, 'change the invoice', {
    amountMinor: fc.constantFrom(2_000, INVOICE_MINOR, 5_000),
    currency: fc.constantFrom('EUR', 'JPY'),
  }),
  dispute: step(4, 'dispute', {
    id: fc.constantFrom('dp_1', 'dp_2'),
    step: fc.constantFrom('created' as const, 'won' as const, 'lost' as const),
    share: fc.constantFrom(null, 0.2, 0.5, 1),
  }),
  'hinder the next': step(2, 'hinder the next', { fault: fc.constantFrom<Fault>(...FAULTS) }),
  repeat: step(5, 'repeat', { which, as: fc.constantFrom('step' as const, 'request' as const) }),
  'look up': step(8, 'look up', { which }),
  resolve: step(3, 'resolve', { which, truthfully: bool }),
  'hear notifications': step(4, 'hear notifications', {}),
  wait: step(4, 'wait', { ms: fc.constantFrom(11_000, HOUR_MS, 24 * HOUR_MS, 6 * 24 * HOUR_MS), wakes: bool }),
  'wait to the end': step(1, 'wait', { ms: fc.constant(7 * 24 * HOUR_MS), wakes: bool }),
}

/** How a payment begins: what is written here, and the other fields by chance. */
interface Opening {
  account?: AccountName
  steps: readonly (Partial<Step> & Pick<Step, 'do'>)[]
}
const PLAIN = { fault: 'none', keyed: false, insists: true } as const
const sale = (scenario: Scenario) => ({ do: 'sell', scenario, amount: null, ...PLAIN }) as const
const authorization = (scenario: Scenario) =>
  ({ do: 'authorize', scenario, fallback: true, plan: null, ...PLAIN }) as const
const VOID = { do: 'void', amount: null, ...PLAIN } as const
const LOOK_UP = { do: 'look up', which: 0 } as const

/** Payments that begin where money was lost once, and go on with anything at all. */
const OPENINGS: Readonly<Record<string, Opening>> = {
  'a continuation that is not sent': {
    account: 'by itself',
    steps: [authorization('three-d-s-required'), { do: 'authenticate', returns: true, fault: 'circuit open' }],
  },
  'a continuation without credentials': {
    account: 'sale only',
    steps: [sale('three-d-s-required'), { do: 'authenticate', returns: true, fault: 'no credentials' }],
  },
  'a void of a sale that nobody knows yet': {
    account: 'sale only',
    steps: [sale('authorization-lost-approved'), VOID, LOOK_UP],
  },
  'an orphan whose void fails': {
    account: 'plain',
    steps: [
      authorization('authorization-lost-approved'),
      VOID,
      { do: 'hinder the next', fault: 'gateway error' },
      LOOK_UP,
    ],
  },
  'a sale that staff find': {
    account: 'sale only',
    steps: [sale('authorization-never-resolved'), { do: 'resolve', which: 0, truthfully: true }],
  },
  'a sale of a part': { account: 'sale only', steps: [sale('partial-approval')] },
  'a second dispute': {
    steps: [
      sale('approved'),
      { do: 'dispute', id: 'dp_1', step: 'won' },
      { do: 'dispute', id: 'dp_2', step: 'created' },
    ],
  },
  'a dispute over a part': {
    steps: [
      sale('approved'),
      { do: 'dispute', step: 'created', share: 0.2 },
      { do: 'refund', amount: { share: 1 }, lines: null, ...PLAIN },
    ],
  },
  'a scheduled capture of the rest of what is disputed': {
    account: 'plain',
    steps: [
      { ...authorization('approved'), plan: { inMs: HOUR_MS, amount: null, lines: null } },
      { do: 'capture', amount: { share: 0.2 }, lines: null, isFinal: false, ...PLAIN },
      { do: 'dispute', id: 'dp_1', step: 'created', share: null },
    ],
  },
  'a line that was released': {
    account: 'plain',
    steps: [
      authorization('approved'),
      { do: 'capture', lines: [0], isFinal: true, ...PLAIN },
      { do: 'refund', lines: [1], ...PLAIN },
    ],
  },
  'a late approval in another currency': {
    account: 'plain',
    steps: [
      authorization('authorization-lost-approved'),
      { do: 'resolve', which: 0, truthfully: false },
      { do: 'change the invoice', currency: 'JPY' },
      LOOK_UP,
    ],
  },
}

/** Payments of every opening, and as many that begin by chance. */
export function storiesOf(runs: number) {
  const openings: Opening[] = Object.values(OPENINGS)
  const stories = [...openings.map(sequences), ...openings.map(() => sequences(null))]
  return stories.map((story) => ({ story, runs: Math.ceil(runs / stories.length) }))
}

/** What happens to a payment from its first request on. */
function sequences(opening: Opening | null) {
  const account = opening?.account
  return fc.record({
    account:
      account === undefined ? fc.constantFrom(...(Object.keys(ACCOUNTS) as AccountName[])) : fc.constant(account),
    acceptsPartialApprovals: bool,
    // Most of what can go wrong needs an authorization first.
    first: opening === null ? fc.tuple(fc.oneof(STEPS.authorize, STEPS.sell)) : begins(opening),
    rest: fc.array(fc.oneof(...Object.values(STEPS)), { maxLength: 20, size: 'max' }),
  })
}

function begins({ steps }: Opening): fc.Arbitrary<Step[]> {
  return fc.tuple(...steps.map((given) => STEPS[given.do].arbitrary.map((drawn) => ({ ...drawn, ...given }) as Step)))
}
