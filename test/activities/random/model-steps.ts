import fc from 'fast-check'

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

/**
 * What goes wrong around a call, whatever the scenario: the answer gets lost, the request never arrives, or the worker dies
 * between its attempt and the call, and another one does the step again.
 */
export type Fault = 'none' | 'lost' | 'unsent' | 'died'

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
    { weight: 2, arbitrary: fc.constantFrom<Fault>('lost', 'unsent', 'died') },
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
const sell = {
  scenario,
  amount: fc.option(fc.integer({ min: 1, max: INVOICE_MINOR }), { nil: null }),
  isFinal: bool,
}
const authorizing = [
  step(4, 'authorize', {
    scenario,
    incremental: mostly,
    fallback: bool,
    plan: fc.option(plans, { nil: null, freq: 2 }),
    ...asked,
  }),
  step(2, 'sell', { ...sell, ...asked }),
]
const steps = fc.oneof(
  ...authorizing.map(({ arbitrary }) => ({ weight: 1, arbitrary })),
  step(12, 'capture', { amount: amounts, lines, isFinal: seldom, wantsRest: mostly, ...asked }),
  step(3, 'schedule', { plan: fc.option(plans, { nil: null }), ...asked }),
  step(6, 'increment', { amount: fc.constantFrom(1, 500, INVOICE_MINOR), ...asked }),
  step(4, 'void', { amount: amounts, ...asked }),
  step(12, 'refund', { amount: amounts, lines, ...asked }),
  step(5, 'repeat', { which, as: fc.constantFrom('step' as const, 'request' as const) }),
  step(8, 'look up', { which }),
  step(2, 'resolve', { which, truthfully: bool }),
  step(4, 'hear notifications', {}),
  step(4, 'wait', { ms: fc.constantFrom(11_000, HOUR_MS, 24 * HOUR_MS, 6 * 24 * HOUR_MS), wakes: bool }),
  step(1, 'wait', { ms: fc.constant(7 * 24 * HOUR_MS), wakes: bool }),
)

/** What happens to a payment from its first request on. */
export const sequences = fc.record({
  acceptsPartialApprovals: bool,
  // Most of what can go wrong needs an authorization first.
  first: fc.oneof(...authorizing),
  rest: fc.array(steps, { maxLength: 24, size: 'max' }),
})
