import { z } from 'zod'
import { nearestName } from '../../domain/nearest-name.ts'
import { type Answer, type Circumstances, STEPS, type Step } from './model.ts'

/** A request that a fault may do with as it likes. */
export interface Exchange {
  /** Does what was asked. @param failure is what the gateway believes to have answered */
  perform(changes?: Partial<Circumstances>, failure?: Answer): Promise<Answer>
  failure(status: 429 | 500 | 503): Answer
  answer(answer: Answer): void
  /** Half of the answer, under the status of a whole one. */
  answerHalf(answer: Answer): void
  reset(): void
  wait(): Promise<void>
  ms: number
}

/** A notification that a fault may do with as it likes. */
export interface Delivery {
  send(): void
  wait(): Promise<void>
  /** Sends it after the next one, or when the time is over. */
  keepBack(): void
  /** Sends it when somebody asks for it. */
  lose(): void
}

interface Fault {
  says: string
  /** Where it strikes if nothing else is asked for. */
  on: readonly Step[]
  /** How long it takes if nothing else is asked for; null for one that takes no time. */
  ms: number | null
  strike: { request(exchange: Exchange): unknown } | { notification(delivery: Delivery): unknown }
}

const MOVING: readonly Step[] = ['authorize', 'continue', 'capture', 'void', 'increment', 'refund']
const TOLD: readonly Step[] = [...MOVING, 'dispute']

const half = (asked: number) => Math.floor(asked / 2)

/** Everything that can be made to go wrong; docs/stand-ins.md shows the table. */
export const FAULTS = {
  'reset-before': {
    says: 'The connection is reset, and nothing was done.',
    on: MOVING,
    ms: null,
    strike: { request: ({ reset }) => reset() },
  },
  'reset-after': {
    says: 'What was asked is done, and the connection is reset before the answer.',
    on: MOVING,
    ms: null,
    strike: {
      async request({ perform, reset }) {
        await perform()
        reset()
      },
    },
  },
  'error-before': {
    says: '503, and nothing was done. The same key may be used again.',
    on: MOVING,
    ms: null,
    strike: { request: ({ answer, failure }) => answer(failure(503)) },
  },
  'error-after': {
    says: 'What was asked is done, and the answer is 500. Stripe answers the same key with 500 for good, Adyen with what was done.',
    on: MOVING,
    ms: null,
    strike: {
      async request({ perform, failure, answer }) {
        answer(await perform({}, failure(500)))
      },
    },
  },
  'slow-before': {
    says: 'What was asked is done late, also when nobody waits for the answer any more.',
    on: MOVING,
    ms: 5_000,
    strike: {
      async request({ wait, perform, answer }) {
        await wait()
        answer(await perform())
      },
    },
  },
  'slow-after': {
    says: 'What was asked is done at once, and answered late.',
    on: MOVING,
    ms: 5_000,
    strike: {
      async request({ perform, wait, answer }) {
        const told = await perform()
        await wait()
        answer(told)
      },
    },
  },
  garbled: {
    says: 'What was asked is done, and half of the answer comes, with the status of a whole one.',
    on: MOVING,
    ms: null,
    strike: {
      async request({ perform, answerHalf }) {
        answerHalf(await perform())
      },
    },
  },
  throttled: {
    says: '429 with `Retry-After` (the wait in whole seconds), and nothing was done.',
    on: MOVING,
    ms: 1_000,
    strike: {
      request({ answer, failure, ms }) {
        answer({ ...failure(429), headers: { 'retry-after': String(Math.ceil(ms / 1_000)) } })
      },
    },
  },
  'other-amount': {
    says: 'The issuer approves half of the amount that was asked.',
    on: ['authorize', 'continue'],
    ms: null,
    strike: {
      async request({ perform, answer }) {
        answer(await perform({ approves: half }))
      },
    },
  },
  'stale-look-up': {
    says: 'A search does not see what was done in the last milliseconds. What is read by its id is up to date.',
    on: ['search'],
    ms: 5_000,
    strike: {
      async request({ perform, answer, ms }) {
        answer(await perform({ lagMs: ms }))
      },
    },
  },
  'notification-duplicated': {
    says: 'A notification is sent twice.',
    on: TOLD,
    ms: null,
    strike: {
      notification({ send }) {
        send()
        send()
      },
    },
  },
  'notification-reordered': {
    says: 'A notification is sent after the next one, or alone when the time is over.',
    on: TOLD,
    ms: 5_000,
    strike: { notification: ({ keepBack }) => keepBack() },
  },
  'notification-late': {
    says: 'A notification is sent late.',
    on: TOLD,
    ms: 5_000,
    strike: {
      async notification({ wait, send }) {
        await wait()
        send()
      },
    },
  },
  'notification-lost': {
    says: 'A notification is never sent.',
    on: TOLD,
    ms: null,
    strike: { notification: ({ lose }) => lose() },
  },
} satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]

/** Longer than any wait of the service for a gateway. */
const MS_MAX = 10 * 60 * 1_000

const oneOf = <Name extends string>(names: readonly Name[], what: string) =>
  z.custom<Name>((value) => names.includes(value as Name), {
    error: ({ input }) => {
      const nearest = nearestName(String(input), names)
      const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`
      return `${JSON.stringify(input)} is no ${what}.${meant} There are ${names.join(', ')}.`
    },
  })

const ORDER = z.strictObject({
  name: oneOf(FAULT_NAMES, 'fault'),
  share: z.number().gt(0).lte(1).default(1),
  count: z.int().positive().nullable().default(null),
  on: oneOf(STEPS, 'step').optional(),
  ms: z.int().nonnegative().max(MS_MAX).optional(),
  seed: z.int().nonnegative().default(1),
})

/** A fault as it is asked for: which share of what it may strike, and how often at most. */
export type FaultOrder = z.input<typeof ORDER>

interface Standing {
  name: FaultName
  share: number
  count: number | null
  on: readonly Step[]
  ms: number | null
  seed: number
  /** How many it could have struck, and has. */
  met: number
  struck: number
  /** A number from 0 to 1, the next of the seed. */
  draw(): number
}

/** What was asked of the stand-in is not possible; the sentence says why. */
export class ImpossibleRequest extends Error {
  override readonly name = 'ImpossibleRequest'
}

/** The faults that hold. With the same seed, the same ones of what each could strike are struck. */
export function openFaults(gateway: { name: string; steps: readonly Step[] }) {
  let standing: Standing[] = []

  const stand = (order: z.output<typeof ORDER>): Standing => {
    const { on, ms, strike }: Fault = FAULTS[order.name]
    const wanted = order.on === undefined ? on : [order.on]
    const known = wanted.filter(
      (step) => gateway.steps.includes(step) || ('notification' in strike && step === 'dispute'),
    )
    if (known.length === 0) throw new ImpossibleRequest(`${gateway.name} has no ${wanted.join(', ')}.`)
    return { ...order, on: known, ms: order.ms ?? ms, met: 0, struck: 0, draw: numbersOf(order.seed) }
  }

  const find = (kind: 'request' | 'notification', step: Step): Standing | undefined =>
    standing.find((fault) => {
      if (!(kind in FAULTS[fault.name].strike) || !fault.on.includes(step) || fault.struck === fault.count) return false
      fault.met += 1
      if (fault.draw() >= fault.share) return false
      fault.struck += 1
      return true
    })

  return {
    /** These hold from now on, and no others. @throws ImpossibleRequest */
    set(orders: readonly unknown[]): void {
      const read = z.array(ORDER).safeParse(orders)
      if (!read.success) throw new ImpossibleRequest(read.error.issues.map(sentenceOf).join(' '))
      standing = read.data.map(stand)
    },
    show: () => standing.map(({ draw: _, ...fault }) => fault),
    /** What strikes this request, and for how long; null for nothing. */
    striking(kind: 'request' | 'notification', step: Step) {
      const found = find(kind, step)
      return found === undefined ? null : { name: found.name, ms: found.ms ?? 0 }
    },
  }
}

export type Faults = ReturnType<typeof openFaults>

function sentenceOf({ path, message }: { path: PropertyKey[]; message: string }): string {
  const [, ...names] = path
  return /\.$/.test(message) ? message : `${names.join('.') || 'A fault'}: ${message}.`
}

/** Mulberry32: small, and the same on every machine. */
function numbersOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
