import {
  bulkhead,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleAll,
  type IPolicy,
  isBrokenCircuitError,
  isBulkheadRejectedError,
} from 'cockatiel'
import { type LookUp, notSent, type Outcome } from '../../../domain/operation.ts'
import type { Clock } from '../../clock.ts'
import { describeFailure, isAnswered, isFailure } from './failure.ts'
import { FAILURES_SHARE, JUDGED_CALLS, JUDGED_CALLS_MIN, LOOK_UPS_PER_CONFIGURATION_MAX } from './limits.ts'

export type CircuitStateName = 'closed' | 'open' | 'half-open'

/** A change of the circuit of one configuration. */
export interface CircuitChange {
  gatewayConfigurationId: string
  state: CircuitStateName
  /** The last failure; for a closed circuit, the failure that had opened it. */
  reason: string
  changedAt: Date
}

export interface Circuit {
  /** Makes a call that may move money, or reports that it was not sent. */
  call(callsMax: number, ask: () => Promise<Outcome>): Promise<Outcome>
  /** Makes a look-up, or reports the gateway as unreachable. */
  lookUp(ask: () => Promise<LookUp>): Promise<LookUp>
  readonly state: CircuitStateName
  /** True where no call is under way. */
  readonly isIdle: boolean
}

export interface CircuitOptions {
  gatewayConfigurationId: string
  /** The shared permits of all configurations of the gateway. */
  shared: { calls: IPolicy; lookUps: IPolicy }
  /** How long it stays open, in milliseconds, for each opening in a row. */
  openMs: readonly number[]
  /** True for an outcome requested for a test, which says nothing about the gateway. */
  isStaged: (outcome: Outcome) => boolean
  clock: Clock
  onChange: (change: CircuitChange) => void
}

/** Shown as the gateway's answer; merchants see it in their operations. */
const OPEN = 'CIRCUIT_OPEN'
const BUSY = 'TOO_MANY_CALLS'

const UNREACHABLE: LookUp = { kind: 'unreachable', reason: 'The gateway is left alone for a while.' }

const NAMES: Record<CircuitState, CircuitStateName> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Isolated]: 'open',
}

/** Tells the breaker that the gateway answers. */
const WELL: Outcome = { kind: 'pending', gatewayOperationId: '' }

/** The circuit breaker of one configuration, with the permits of its calls. */
export function createCircuit(options: CircuitOptions): Circuit {
  const { shared, clock } = options
  let dueAt = 0
  let underWay = 0
  let isLookingWhetherWell = false
  const breaker = createBreaker(options, (wait) => {
    dueAt = clock.now().getTime() + wait
  })
  let places = bulkheadOf(1)
  const lookUpPlaces = bulkhead(LOOK_UPS_PER_CONFIGURATION_MAX)

  /** The one probe of a half-open circuit is running; the library would make all other calls wait for it. */
  const isProbed = () => breaker.state === CircuitState.HalfOpen

  async function askWhetherWell(ask: () => Promise<LookUp>): Promise<LookUp> {
    if (isProbed() || isLookingWhetherWell || clock.now().getTime() < dueAt) return UNREACHABLE
    isLookingWhetherWell = true
    try {
      const found = await ask()
      if (isAnswered(found) && breaker.state === CircuitState.Open)
        await breaker.execute(() => WELL).catch(() => undefined)
      return found
    } finally {
      isLookingWhetherWell = false
    }
  }

  async function counted<Result>(work: () => Promise<Result>, refused: (error: unknown) => Result): Promise<Result> {
    underWay += 1
    try {
      return await work()
    } catch (error) {
      return refused(error)
    } finally {
      underWay -= 1
    }
  }

  return {
    async call(callsMax, ask) {
      if (isProbed()) return notSent(OPEN)
      if (places.callsMax !== callsMax) places = bulkheadOf(callsMax)
      return counted(() => shared.calls.execute(() => places.policy.execute(() => breaker.execute(ask))), notMade)
    },
    lookUp(ask) {
      const asked = breaker.state === CircuitState.Closed ? ask : () => askWhetherWell(ask)
      return counted(() => shared.lookUps.execute(() => lookUpPlaces.execute(asked)), notLookedUp)
    },
    get state() {
      return NAMES[breaker.state]
    },
    get isIdle() {
      return underWay === 0
    },
  }
}

/** @param opens receives the duration in milliseconds at each opening. */
function createBreaker(
  { gatewayConfigurationId, openMs, isStaged, clock, onChange }: CircuitOptions,
  opens: (waitMs: number) => void,
) {
  // A throwing adapter breaks its contract and leaves an unknown outcome.
  const breaker = circuitBreaker(
    handleAll.orWhenResult((outcome) => isFailure(outcome as Outcome) && !isStaged(outcome as Outcome)),
    {
      breaker: new CountBreaker({
        threshold: FAILURES_SHARE,
        size: JUDGED_CALLS,
        minimumNumberOfCalls: JUDGED_CALLS_MIN,
      }),
      halfOpenAfter: new DelegateBackoff(({ attempt }) => {
        const wait = openMs[Math.min(attempt, openMs.length) - 1] ?? 0
        opens(wait)
        return wait
      }),
      halfOpenSampling: { calls: 1, threshold: 0 },
    },
  )
  breaker.onStateChange((state) =>
    onChange({
      gatewayConfigurationId,
      state: NAMES[state],
      reason: describeFailure(breaker.lastFailure),
      changedAt: clock.now(),
    }),
  )
  return breaker
}

function notMade(error: unknown): Outcome {
  if (isBrokenCircuitError(error)) return notSent(OPEN)
  if (isBulkheadRejectedError(error)) return notSent(BUSY)
  throw error
}

function notLookedUp(error: unknown): LookUp {
  if (isBulkheadRejectedError(error)) return UNREACHABLE
  throw error
}

function bulkheadOf(callsMax: number) {
  return { callsMax, policy: bulkhead(callsMax) }
}
