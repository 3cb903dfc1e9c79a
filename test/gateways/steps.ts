import type { GatewayOperationType, LookUp, Outcome } from '../../domain/operation.ts'
import type { AuthorizeRequest, Gateway } from '../../src/gateways/gateway.ts'

/** One step of a payment, such as `capture 1000`, and how it has to end, such as `approved`. */
export interface Step {
  asked: string
  end: string
}

/**
 * Rules, each as a line that says it and indented lines with its steps, such as
 * `authorize 2900: approved, capture 1000: approved | captured 1000`: behind the bar stands what the gateway's own ledger
 * holds at the end, in minor units.
 *
 * - `capture` releases the rest, `partial-capture` does not; `increment` says what is added.
 * - `repeat` is the call before, under the same reference; `look-up` asks about it, or about the call of a number.
 * - Behind an amount: `in` another currency, `of` another authorization, `to` a total, `at` another configuration, `for`
 *   another account; `while failing`.
 */
export function readRules(text: string): { title: string; steps: Step[]; ledger: string }[] {
  return text
    .trim()
    .split(/\n(?! )/)
    .map((rule) => {
      const [title = '', ...lines] = rule.split('\n')
      const [steps = '', ledger = ''] = lines
        .map((line) => line.trim())
        .join(' ')
        .split(/ ?\| /)
      return { title, steps: steps.split(', ').map(stepOf), ledger }
    })
}

function stepOf(text: string): Step {
  const [asked = '', end = ''] = text.split(': ')
  return { asked, end }
}

interface Call {
  type: GatewayOperationType
  reference: string
  send(): Promise<Outcome>
}

interface Options {
  gateway: Gateway
  /** Of the authorization that the steps begin with, but for its amount. */
  request: AuthorizeRequest
  makeReference(): string
  patience(): AbortSignal
}

const TYPES: Readonly<Record<string, GatewayOperationType>> = {
  authorize: 'authorization',
  capture: 'capture',
  'partial-capture': 'capture',
  increment: 'increment_authorization',
  void: 'void',
  refund: 'refund',
}

/** Takes the steps on one payment, and gives what the gateway answered to each. */
export async function takeSteps(
  { gateway, request, makeReference, patience }: Options,
  steps: readonly string[],
): Promise<(Outcome | LookUp)[]> {
  const calls: Call[] = []
  let gatewayAuthorizationId = 'none'
  let authorizedMinor = 0

  const callOf = (verb: string, amountMinor: number, words: ReadonlyMap<string, string>): Call => {
    const type = TYPES[verb]
    if (type === undefined) throw new Error(`There is no step ${verb}.`)
    const account = words.get('for')
    const common = {
      credentials: request.credentials,
      settings: {
        ...request.settings,
        ...(words.has('while') && { fault_rate: '1', faults: 'failed' }),
        ...(account !== undefined && { account }),
      },
      gatewayConfigurationId: words.get('at') ?? request.gatewayConfigurationId,
      invoiceId: request.invoiceId,
      amountMinor,
      currency: words.get('in') ?? request.currency,
    }
    const { reference } = verb === 'authorize' ? request : { reference: makeReference() }
    const step = { ...common, reference, gatewayAuthorizationId: words.get('of') ?? gatewayAuthorizationId }
    const targetTotalMinor = Number(words.get('to') ?? authorizedMinor + amountMinor)
    const sends: Readonly<Record<GatewayOperationType, () => Promise<Outcome>>> = {
      authorization: () => gateway.authorize({ ...request, ...common }, patience()),
      capture: () => gateway.capture({ ...step, isFinal: verb === 'capture' }, patience()),
      increment_authorization: () => gateway.increment({ ...step, targetTotalMinor }, patience()),
      void: () => gateway.void(step, patience()),
      refund: () => gateway.refund(step, patience()),
    }
    return { type, reference, send: sends[type] }
  }

  const answers: (Outcome | LookUp)[] = []
  for (const step of steps) {
    const [verb = '', value, ...rest] = step.split(' ')
    const words = new Map(rest.flatMap((word, index) => (index % 2 === 0 ? [[word, rest[index + 1] ?? '']] : [])))
    const before = verb === 'look-up' && value !== undefined ? calls[Number(value) - 1] : calls.at(-1)
    const isAboutBefore = verb === 'look-up' || verb === 'repeat'
    const call = isAboutBefore ? before : callOf(verb, Number(value), words as Map<string, string>)
    if (call === undefined) throw new Error(`Nothing was sent before ${step}.`)
    if (verb === 'look-up') {
      const { type, reference } = call
      answers.push(await gateway.lookUp({ ...request, type, reference, gatewayAuthorizationId: null }, patience()))
      continue
    }
    if (!isAboutBefore) calls.push(call)
    const outcome = await call.send()
    answers.push(outcome)
    if (isAboutBefore || outcome.kind !== 'approved') continue
    if (call.type === 'authorization') {
      gatewayAuthorizationId = outcome.gatewayOperationId
      authorizedMinor = outcome.amountMinor
    } else if (call.type === 'increment_authorization') authorizedMinor += outcome.amountMinor
  }
  return answers
}
