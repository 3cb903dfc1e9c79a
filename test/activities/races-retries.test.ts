import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Command, IdempotencyClaim } from '../../domain/command.ts'
import type { GatewayOperationType } from '../../domain/operation.ts'
import type { PaymentActor } from '../support/payment-actor.ts'
import {
  asked,
  type Ended,
  makeRacesStage,
  type Payment,
  RACES_WITHIN_MS,
  type Race,
  type RacesStage,
  type Step,
} from './races-stage.ts'

/** A pair races long on a busy machine. */
const TIMEOUT_MS = RACES_WITHIN_MS

interface Wish {
  arrange: Race['arrange']
  /** The command of the request, made anew each time it comes, as the interface makes it. */
  asks: (build: PaymentActor['build'], source: string, idempotency: IdempotencyClaim | null) => Command
  type: GatewayOperationType
  /** What it comes to, however often it comes. */
  amounts: Partial<Ended['books']['transaction']>
}

const refunded = ({ books }: Ended) => books.transaction.refundedMinor

describe('of two requests at once', () => {
  let stage: RacesStage

  beforeAll(async () => {
    stage = await makeRacesStage()
  })
  afterAll(() => stage.close())

  const authorized =
    (scenario = 'approved') =>
    async (invoiceId: string) => {
      const { actor } = stage
      const command = actor.build.authorize(await actor.makeSource(scenario), { incremental: true })
      await actor.executeCommand(invoiceId, command)
    }
  const sold =
    (scenario = 'approved') =>
    async (invoiceId: string) => {
      const { actor } = stage
      const capture = actor.build.capture()
      await actor.executeCommand(invoiceId, actor.build.authorize(await actor.makeSource(scenario), { capture }))
    }
  const refund =
    (amountMinor: number | null = null, ...chosen: number[]) =>
    ({ invoiceId, lines }: Payment) => {
      const detailIds = chosen.length === 0 ? null : chosen.map((index) => lines[index] ?? '')
      return stage.actor.executeCommand(invoiceId, stage.actor.build.refund(amountMinor, { detailIds }))
    }

  test(
    'two refunds never give back more than was taken, and never a line twice',
    async () => {
      const lineAmounts = [1_000, 900, 1_000]
      const oneOfTwo = (kind: 'done' | 'pending', ended: Ended) =>
        expect([...ended.kinds].sort()).toEqual([kind, 'refused'].sort())
      await stage.runAll({
        'all and all': {
          arrange: sold(),
          contenders: [refund(), refund()],
          verify: (ended) => {
            oneOfTwo('done', ended)
            expect([refunded(ended), asked(ended.books, 'refund')]).toEqual([2_900, 1])
          },
        },
        'parts that fit': {
          arrange: sold(),
          contenders: [refund(1_000), refund(1_900)],
          verify: (ended) => {
            expect(ended.kinds).toEqual(['done', 'done'])
            expect(refunded(ended)).toBe(2_900)
          },
        },
        'parts that do not fit': {
          arrange: sold(),
          contenders: [refund(2_000), refund(2_000)],
          verify: (ended) => {
            oneOfTwo('done', ended)
            expect(refunded(ended)).toBe(2_000)
          },
        },
        'the same line': {
          lineAmounts,
          arrange: sold(),
          contenders: [refund(900, 1), refund(1_900, 0, 1)],
          verify: (ended) => {
            oneOfTwo('done', ended)
            expect(refunded(ended)).toBe(ended.kinds[0] === 'done' ? 900 : 1_900)
          },
        },
        'both pending, then done': {
          arrange: sold('refund-pending-approved'),
          contenders: [refund(2_000), refund(2_000)],
          verify: (ended) => {
            oneOfTwo('pending', ended)
            expect(refunded(ended)).toBe(2_000)
          },
        },
        'both pending, then declined': {
          arrange: sold('refund-pending-declined'),
          contenders: [refund(1_000), refund(1_000)],
          verify: (ended) => {
            expect(ended.kinds).toEqual(['pending', 'pending'])
            expect([refunded(ended), ended.books.transaction.refundingMinor]).toEqual([0, 0])
          },
        },
        'both with a lost answer': {
          arrange: sold('refund-lost'),
          contenders: [refund(), refund()],
          verify: (ended) => {
            oneOfTwo('pending', ended)
            expect(refunded(ended)).toBe(2_900)
          },
        },
      } satisfies Record<string, Race>)
    },
    TIMEOUT_MS,
  )

  /** What a merchant's server asks for, the same each time. */
  const REQUESTS: Record<string, Wish> = {
    'an authorization': {
      arrange: async () => {},
      asks: (build, source) => build.authorize(source),
      type: 'authorization',
      amounts: { authorizedMinor: 2_900, capturedMinor: 0 },
    },
    'a sale': {
      arrange: async () => {},
      asks: (build, source, idempotency) => build.authorize(source, { capture: build.capture(null, { idempotency }) }),
      type: 'capture',
      amounts: { authorizedMinor: 2_900, capturedMinor: 2_900 },
    },
    'a capture': {
      arrange: authorized(),
      asks: (build) => build.capture(1_000),
      type: 'capture',
      amounts: { capturedMinor: 1_000, voidedMinor: 1_900 },
    },
    'an increment': {
      arrange: authorized(),
      asks: (build) => build.increment(500),
      type: 'increment_authorization',
      amounts: { authorizedMinor: 3_400, incrementedMinor: 500 },
    },
    'a void': {
      arrange: authorized(),
      asks: (build) => build.void(900),
      type: 'void',
      amounts: { authorizedMinor: 2_900, voidedMinor: 900 },
    },
    'a refund': {
      arrange: sold(),
      asks: (build) => build.refund(1_000),
      type: 'refund',
      amounts: { capturedMinor: 2_900, refundedMinor: 1_000 },
    },
    'a capture whose answer gets lost': {
      arrange: authorized('capture-lost'),
      asks: (build) => build.capture(),
      type: 'capture',
      amounts: { capturedMinor: 2_900 },
    },
    'a refund that is declined': {
      arrange: sold('refunds-declined'),
      asks: (build) => build.refund(),
      type: 'refund',
      amounts: { capturedMinor: 2_900, refundedMinor: 0 },
    },
  }
  /** The one card of a payment, whoever asks for it first. */
  const sources = new Map<string, Promise<string>>()
  const sourceOf = ({ invoiceId }: Payment) => {
    const source = sources.get(invoiceId) ?? stage.actor.makeSource()
    sources.set(invoiceId, source)
    return source
  }
  const executeCommand = async (payment: Payment, asks: Wish['asks'], values: Partial<Command>) => {
    const { build } = stage.actor
    const command = asks(build, await sourceOf(payment), values.idempotency ?? null)
    return stage.actor.executeCommand(payment.invoiceId, { ...command, ...values } as Command)
  }
  const races = (
    stepOf: (wish: Wish) => Step,
    verify: (ended: Ended) => void,
    names: readonly string[] = Object.keys(REQUESTS),
  ): Record<string, Race> => {
    const wishes = Object.entries(REQUESTS).filter(([name]) => names.includes(name))
    return Object.fromEntries(
      wishes.map(([name, wish]) => {
        const step = stepOf(wish)
        const race: Race = {
          arrange: wish.arrange,
          contenders: [step, step],
          verify: (ended) => {
            expect(ended.books.transaction).toMatchObject(wish.amounts)
            expect(asked(ended.books, wish.type)).toBe(1)
            verify(ended)
          },
        }
        return [name, race]
      }),
    )
  }

  test(
    'one idempotency key does its work once, and is never left without an answer',
    async () => {
      const step = (wish: Wish) => (payment: Payment) =>
        executeCommand(payment, wish.asks, { idempotency: claimOf(payment) })
      const isRepeated = ({ kinds }: Ended) => expect(kinds.filter((kind) => kind === 'duplicate')).toHaveLength(1)
      await stage.runAll(races(step, isRepeated))
      expect(await stage.countOpenKeys()).toBe(0)
    },
    TIMEOUT_MS,
  )

  test(
    'one request that comes twice without a key takes the money once',
    async () => {
      const byState = ['an authorization', 'a sale', 'a capture', 'a capture whose answer gets lost']
      const step = (wish: Wish) => (payment: Payment) => executeCommand(payment, wish.asks, {})
      await stage.runAll(
        races(
          step,
          ({ kinds }) => expect(kinds.some((kind) => kind === 'done' || kind === 'pending')).toBe(true),
          byState,
        ),
      )
    },
    TIMEOUT_MS,
  )

  test(
    'one step that two workers do at once is done once',
    async () => {
      const step = (wish: Wish): Step => {
        const commands = new Map<string, Promise<Command>>()
        return async (payment) => {
          const { invoiceId } = payment
          const made =
            commands.get(invoiceId) ?? sourceOf(payment).then((source) => wish.asks(stage.actor.build, source, null))
          commands.set(invoiceId, made)
          return stage.actor.executeCommand(invoiceId, await made)
        }
      }
      await stage.runAll(races(step, ({ kinds }) => expect(kinds).not.toContain('refused')))
    },
    TIMEOUT_MS,
  )
})

function claimOf({ invoiceId }: Payment): IdempotencyClaim {
  const id = Buffer.from(invoiceId).toString('hex').slice(-64)
  return { id, requestHash: 'a'.repeat(64), requestId: 'req_1' }
}
