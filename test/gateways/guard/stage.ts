import { ALL_CAPABILITIES } from '../../../domain/capabilities.ts'
import type { LookUp, Outcome } from '../../../domain/operation.ts'
import { systemClock } from '../../../src/clock.ts'
import type { AuthorizeRequest, Gateway, LookUpRequest } from '../../../src/gateways/gateway.ts'
import type { CircuitChange } from '../../../src/gateways/guard/circuit.ts'
import { type GuardOptions, guardGateway } from '../../../src/gateways/guard/guard-gateway.ts'

/** As short as a test can tell it from nothing; for tests that wait for its end. */
export const OPEN_MS = 60
/** Longer than any test takes, on however busy a machine. */
const OPEN_FOR_GOOD_MS = 3_600_000

export const APPROVED: Outcome = {
  kind: 'approved',
  gatewayOperationId: 'theirs',
  amountMinor: 2_900,
  currency: 'EUR',
}
export const TIMED_OUT: Outcome = { kind: 'unknown', reason: 'No answer: TimeoutError.' }
export const NOT_SENT: Outcome = {
  kind: 'declined',
  code: 'gateway.network-error',
  gatewayCode: 'ECONNREFUSED',
  isNotSent: true,
}
export const DECLINED: Outcome = { kind: 'declined', code: 'card.no-money', gatewayCode: '51' }
export const FOUND: LookUp = { kind: 'found', outcome: APPROVED }
export const UNREACHABLE: LookUp = { kind: 'unreachable', reason: 'No answer: TimeoutError.' }

/** What the circuit answers in the gateway's place. */
export const SHUT: Outcome = { ...NOT_SENT, gatewayCode: 'CIRCUIT_OPEN' }
export const FULL: Outcome = { ...NOT_SENT, gatewayCode: 'TOO_MANY_CALLS' }

type Asked = Pick<LookUpRequest, 'gatewayConfigurationId' | 'reference' | 'settings'>

interface PlayedOptions extends Partial<Omit<GuardOptions, 'openMs'>> {
  isStaged?: Gateway['isStaged']
  /** For good, where nothing is said. */
  openMs?: readonly number[] | 'by default'
}

/** A guarded gateway that answers what it is told to, and remembers what reached it. */
export function guardedGateway(options: PlayedOptions = {}) {
  const { isStaged, openMs = [OPEN_FOR_GOOD_MS], ...guard } = options
  const reached: { configuration: string; reference: string; verb: string; settings: object; signal: AbortSignal }[] =
    []
  const answers = new Map<string, () => Promise<Outcome>>()
  const lookUps = new Map<string, () => Promise<LookUp>>()
  const changes: CircuitChange[] = []
  const verb = (name: string) => (request: Asked, signal: AbortSignal) => {
    const { gatewayConfigurationId: configuration, reference, settings } = request
    reached.push({ configuration, reference, verb: name, settings, signal })
    return (answers.get(configuration) ?? (async () => APPROVED))()
  }
  const inquiry = (name: string) => (request: Asked, signal: AbortSignal) => {
    const { gatewayConfigurationId: configuration, reference, settings } = request
    reached.push({ configuration, reference, verb: name, settings, signal })
    return (lookUps.get(configuration) ?? (async () => FOUND))()
  }
  const gateway: Gateway = {
    name: 'played',
    capabilities: ALL_CAPABILITIES,
    referencesKeptForMs: 0,
    ...(isStaged === undefined ? {} : { isStaged }),
    authorize: verb('authorize'),
    capture: verb('capture'),
    increment: verb('increment'),
    void: verb('void'),
    refund: verb('refund'),
    lookUp: inquiry('lookUp'),
    endAuthentication: inquiry('endAuthentication'),
  }
  const guarded = guardGateway(gateway, {
    clock: systemClock,
    onChange: (change) => changes.push(change),
    ...(openMs === 'by default' ? {} : { openMs }),
    ...guard,
  })
  let count = 0
  const base = (configuration: string, settings: Record<string, string>) => ({
    gatewayConfigurationId: configuration,
    credentials: {},
    settings,
    reference: `tr_op_${++count}`,
    invoiceId: 'iv_1',
    amountMinor: 2_900,
    currency: 'EUR',
    gatewayAuthorizationId: 'theirs',
  })
  const signal = () => AbortSignal.timeout(10_000)
  const authorize = (configuration: string, settings: Record<string, string> = {}) =>
    guarded.authorize(base(configuration, settings) as unknown as AuthorizeRequest, signal())
  return {
    guarded,
    reached,
    changes,
    authorize,
    capture: (configuration: string) => guarded.capture({ ...base(configuration, {}), isFinal: true }, signal()),
    increment: (configuration: string) =>
      guarded.increment({ ...base(configuration, {}), targetTotalMinor: 3_000 }, signal()),
    void: (configuration: string) => guarded.void(base(configuration, {}), signal()),
    refund: (configuration: string) => guarded.refund(base(configuration, {}), signal()),
    lookUp: (configuration: string) =>
      guarded.lookUp({ ...base(configuration, {}), type: 'capture' } as LookUpRequest, signal()),
    endAuthentication: (configuration: string) =>
      guarded.endAuthentication?.(
        { ...base(configuration, {}), type: 'authorization', continuation: 'theirs' } as LookUpRequest & {
          continuation: string
        },
        signal(),
      ),
    answer: (configuration: string, answer: Outcome | (() => Promise<Outcome>)) =>
      void answers.set(configuration, typeof answer === 'function' ? answer : async () => answer),
    answerLookUps: (configuration: string, answer: LookUp | (() => Promise<LookUp>)) =>
      void lookUps.set(configuration, typeof answer === 'function' ? answer : async () => answer),
    /** Lets calls to the configuration hang; the result ends them, with an approval. */
    hang(configuration: string): () => void {
      const { promise, resolve } = Promise.withResolvers<Outcome>()
      answers.set(configuration, () => promise)
      return () => resolve(APPROVED)
    },
    /** Opens the circuit of the configuration, and leaves its gateway failing. */
    async breakDown(configuration: string): Promise<void> {
      answers.set(configuration, async () => TIMED_OUT)
      for (let call = 1; call <= 5; call += 1) await authorize(configuration)
      reached.length = 0
    },
    stateOf: (configuration: string) =>
      changes.findLast(({ gatewayConfigurationId }) => gatewayConfigurationId === configuration)?.state ?? 'closed',
  }
}
