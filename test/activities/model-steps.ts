import fc from 'fast-check'

/** What every invoice of the model asks for, and the lines that it consists of, in minor units. */
export const INVOICE_MINOR = 2_900
export const LINE_AMOUNTS = [1_000, 900, 1_000] as const

const HOUR_MS = 60 * 60 * 1000

/** The stories that the simulator plays; the first is the one of most payments, so that long ones come about. */
export const SCENARIOS = [
  'approved',
  'do-not-honor',
  'connection-refused',
  'partial-approval',
  'sale-only',
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
  'authorization-lost-approved',
  'authorization-lost-declined',
  'authorization-approved-late',
  'authorization-never-resolved',
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
export type Scenario = (typeof SCENARIOS)[number]

/**
 * What goes wrong around a call, whatever the story: the answer gets lost, the request never arrives, or the worker dies
 * between its attempt and the call, and another one does the step again.
 */
export type Fault = 'none' | 'lost' | 'unsent' | 'died'

/** When a capture is to be made, counted from now, and of what; all of it where neither amount nor lines are given. */
export interface Plan {
  inMs: number
  amount: number | null
  lines: number[] | null
}

interface Asked {
  fault: Fault
  /** Whether the request carries an idempotency key. */
  keyed: boolean
}

/** One thing that happens. The fields are few, so that a failure can be read. */
export type Step =
  | ({ do: 'authorize'; scenario: Scenario; incremental: boolean; fallback: boolean; plan: Plan | null } & Asked)
  | ({ do: 'sell'; scenario: Scenario; amount: number | null; isFinal: boolean } & Asked)
  | ({ do: 'capture'; amount: number | null; lines: number[] | null; isFinal: boolean; wantsRest: boolean } & Asked)
  | ({ do: 'schedule'; plan: Plan | null } & Asked)
  | ({ do: 'increment'; amount: number } & Asked)
  | ({ do: 'void'; amount: number | null } & Asked)
  | ({ do: 'refund'; amount: number | null; lines: number[] | null } & Asked)
  /** A request comes again: as the same step, or anew with the same key. */
  | { do: 'repeat'; which: number; as: 'step' | 'request' }
  | { do: 'look up'; which: number }
  | { do: 'resolve'; which: number; truthfully: boolean }
  | { do: 'hear notices' }
  /** `wakes`: whether what is due by then is done before anything else comes. */
  | { do: 'wait'; ms: number; wakes: boolean }

/** Everything, nothing, too much, parts that add up to the whole, and whatever comes. */
const amounts = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: fc.constantFrom(0, 1, 500, 900, 1_000, 1_450, 1_900, INVOICE_MINOR, INVOICE_MINOR + 1) },
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
}
const scenario = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Scenario>('approved') },
  { weight: 2, arbitrary: fc.constantFrom(...SCENARIOS) },
)

const step = <D extends Step['do']>(
  weight: number,
  name: D,
  fields: { [K in Exclude<keyof Extract<Step, { do: D }>, 'do'>]: fc.Arbitrary<Extract<Step, { do: D }>[K]> },
) => ({ weight, arbitrary: fc.record({ do: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Step> })

const bool = fc.boolean()
const which = fc.nat({ max: 5 })
const sell = {
  scenario,
  amount: amounts.filter((amount) => amount !== 0 && (amount ?? 0) <= INVOICE_MINOR),
  isFinal: bool,
}
const authorizing = [
  step(3, 'authorize', {
    scenario,
    incremental: bool,
    fallback: bool,
    plan: fc.option(plans, { nil: null }),
    ...asked,
  }),
  step(1, 'sell', { ...sell, ...asked }),
]
const steps = fc.oneof(
  ...authorizing,
  step(8, 'capture', { amount: amounts, lines, isFinal: bool, wantsRest: bool, ...asked }),
  step(2, 'schedule', { plan: fc.option(plans, { nil: null }), ...asked }),
  step(4, 'increment', { amount: fc.constantFrom(1, 500, INVOICE_MINOR), ...asked }),
  step(4, 'void', { amount: amounts, ...asked }),
  step(7, 'refund', { amount: amounts, lines, ...asked }),
  step(3, 'repeat', { which, as: fc.constantFrom('step' as const, 'request' as const) }),
  step(6, 'look up', { which }),
  step(2, 'resolve', { which, truthfully: bool }),
  step(3, 'hear notices', {}),
  step(4, 'wait', {
    ms: fc.constantFrom(11_000, HOUR_MS, 24 * HOUR_MS, 6 * 24 * HOUR_MS, 7 * 24 * HOUR_MS),
    wakes: bool,
  }),
)

/** A payment from its first request on. */
export const stories = fc.record({
  acceptsPartialApprovals: bool,
  // Most of what can go wrong needs an authorization first.
  first: fc.oneof(...authorizing),
  rest: fc.array(steps, { minLength: 2, maxLength: 12, size: 'max' }),
})
