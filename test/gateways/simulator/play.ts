import type { GatewayOperationType, LookUp, Outcome } from '../../../domain/operation.ts'
import type { AuthorizeRequest } from '../../../src/gateways/gateway.ts'
import { type makeSimulator, patience } from '../simulator-fixture.ts'

type Simulator = Awaited<ReturnType<typeof makeSimulator>>

interface Sent {
  type: GatewayOperationType
  reference: string
  send(): Promise<Outcome>
}

/** `capture` takes all at once and is the last one; a `part` leaves the rest open. */
const TYPES: Readonly<Record<string, GatewayOperationType>> = {
  capture: 'capture',
  part: 'capture',
  raise: 'increment_authorization',
  void: 'void',
  refund: 'refund',
}

const EVERY_CALL_FAILS = { fault_rate: '1', faults: 'failed' }

/**
 * Plays steps on one payment, each written as `verb amount`, with `at` another configuration, `as` another account, `in` a
 * currency, `to` a total or `with failures`; `again` repeats the call before, `look up 2` asks about the second call.
 * Answers with each step and how it ended: `approved`, with the amount if it is another one, the code of a decline, or the
 * kind of any other outcome.
 */
export async function play(simulator: Simulator, request: AuthorizeRequest, steps: readonly string[]) {
  const sent: Sent[] = []
  let gatewayAuthorizationId = 'none'
  let authorized = 0

  const prepare = (verb: string, amountMinor: number, words: ReadonlyMap<string, string>): Sent => {
    const account = words.get('as')
    const access = {
      ...request,
      gatewayConfigurationId: words.get('at') ?? request.gatewayConfigurationId,
      settings: {
        ...request.settings,
        ...(words.has('with') && EVERY_CALL_FAILS),
        ...(account !== undefined && { account }),
      },
    }
    if (verb === 'authorize') {
      const asked = { ...access, amountMinor }
      return {
        type: 'authorization',
        reference: asked.reference,
        send: () => simulator.gateway.authorize(asked, patience()),
      }
    }
    const reference = simulator.makeReference()
    const step = { ...access, reference, amountMinor, currency: words.get('in') ?? 'EUR', gatewayAuthorizationId }
    const { gateway } = simulator
    const sends: Readonly<Record<string, () => Promise<Outcome>>> = {
      capture: () => gateway.capture({ ...step, isFinal: true }, patience()),
      part: () => gateway.capture({ ...step, isFinal: false }, patience()),
      raise: () =>
        gateway.increment(
          { ...step, targetTotalMinor: Number(words.get('to') ?? authorized + amountMinor) },
          patience(),
        ),
      void: () => gateway.void(step, patience()),
      refund: () => gateway.refund(step, patience()),
    }
    const { [verb]: send } = sends
    const { [verb]: type } = TYPES
    if (send === undefined || type === undefined) throw new Error(`There is no step ${verb}.`)
    return { type, reference, send }
  }

  const told: string[] = []
  for (const step of steps) {
    const [verb = '', second = '0', ...rest] = step.split(' ')
    if (verb === 'look') {
      const { type, reference } = sent[Number(rest[0] ?? sent.length) - 1] ?? { type: 'capture', reference: 'none' }
      told.push(`${step}: ${foundIn(await simulator.lookUp(reference, type))}`)
      continue
    }
    const words = new Map(rest.flatMap((word, index) => (index % 2 === 0 ? [[word, rest[index + 1] ?? '']] : [])))
    const amount = Number(second)
    const call = verb === 'again' ? sent.at(-1) : prepare(verb, amount, words as Map<string, string>)
    if (call === undefined) throw new Error('Nothing was sent before.')
    if (verb !== 'again') sent.push(call)
    const outcome = await call.send()
    if (call.type === 'authorization' && outcome.kind === 'approved') {
      gatewayAuthorizationId = outcome.gatewayOperationId
      authorized = outcome.amountMinor
    }
    told.push(`${step}: ${wordOf(outcome, verb === 'again' ? null : amount)}`)
  }
  const log = await simulator.readLog({ invoiceId: request.invoiceId })
  return { told, held: log.authorizations[0] ?? null, log }
}

function wordOf(outcome: Outcome, asked: number | null): string {
  if (outcome.kind === 'declined') return outcome.code
  if (outcome.kind !== 'approved') return outcome.kind
  const isOther = asked !== null && outcome.amountMinor !== asked
  return `approved${outcome.isSale === true ? ' as a sale' : ''}${isOther ? ` ${outcome.amountMinor}` : ''}`
}

function foundIn(found: LookUp): string {
  return found.kind === 'found' ? wordOf(found.outcome, null) : found.kind
}
