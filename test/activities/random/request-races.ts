import { describe, expect, test } from '@jest/globals'
import type { Command, IdempotencyClaim } from '../../../domain/command.ts'
import type { GatewayOperationType } from '../../../domain/operation.ts'
import { IdempotencyKeyEntity } from '../../../src/persistence/entities/idempotency-key.ts'
import type { PaymentActor } from '../../support/payment-actor.ts'
import {
  countAsked,
  type Ended,
  expectOneOfTwo,
  type Race,
  type RacedPayment,
  racesForBlock,
  type Step,
} from './races-stage.ts'

/** What a merchant's server asks for, the same each time. */
interface Request {
  arrange: Race['arrange']
  /** The command of the request, made anew each time it comes, as the interface makes it. */
  make: (build: PaymentActor['build'], source: string, idempotency: IdempotencyClaim | null) => Command
  type: GatewayOperationType
  /** What it comes to, however often it comes. */
  amounts: Partial<Ended['books']['transaction']>
}

const refunded = ({ books }: Ended) => books.transaction.refundedMinor

export function describeRequestRaces(runs: number): void {
  describe('two requests at once', () => {
    const { stage, step, authorized, testEach } = racesForBlock(runs)
    const sold = (scenario = 'approved') => {
      const sell = async (invoiceId: string) =>
        authorized(scenario, { capture: stage.actor.build.capture() })(invoiceId)
      return sell
    }
    const refund = (amountMinor: number | null = null, ...chosen: number[]) =>
      step((build, { lines }) => {
        const detailIds = chosen.length === 0 ? null : chosen.map((index) => lines[index] ?? '')
        return build.refund(amountMinor, { detailIds })
      })

    testEach('two refunds never give back more than was taken, and never a line twice', {
      'all and all': {
        arrange: sold(),
        contenders: [refund(), refund()],
        verify: (ended) => {
          expectOneOfTwo('done', ended)
          expect([refunded(ended), countAsked(ended, 'refund')]).toEqual([2_900, 1])
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
          expectOneOfTwo('done', ended)
          expect(refunded(ended)).toBe(2_000)
        },
      },
      'the same line': {
        lineAmounts: [1_000, 900, 1_000],
        arrange: sold(),
        contenders: [refund(900, 1), refund(1_900, 0, 1)],
        verify: (ended) => {
          expectOneOfTwo('done', ended)
          expect(refunded(ended)).toBe(ended.kinds[0] === 'done' ? 900 : 1_900)
        },
      },
      'both pending, then done': {
        arrange: sold('refund-pending-approved'),
        contenders: [refund(2_000), refund(2_000)],
        verify: (ended) => {
          expectOneOfTwo('pending', ended)
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
          expectOneOfTwo('pending', ended)
          expect(refunded(ended)).toBe(2_900)
        },
      },
    })

    const REQUESTS: Record<string, Request> = {
      'an authorization': {
        arrange: async () => {},
        make: (build, source) => build.authorize(source),
        type: 'authorization',
        amounts: { authorizedMinor: 2_900, capturedMinor: 0 },
      },
      'a sale': {
        arrange: async () => {},
        make: (build, source, idempotency) =>
          build.authorize(source, { capture: build.capture(null, { idempotency }) }),
        type: 'capture',
        amounts: { authorizedMinor: 2_900, capturedMinor: 2_900 },
      },
      'a capture': {
        arrange: authorized(),
        make: (build) => build.capture(1_000),
        type: 'capture',
        amounts: { capturedMinor: 1_000, voidedMinor: 1_900 },
      },
      'an increment': {
        arrange: authorized(),
        make: (build) => build.increment(500),
        type: 'increment_authorization',
        amounts: { authorizedMinor: 3_400, incrementedMinor: 500 },
      },
      'a void': {
        arrange: authorized(),
        make: (build) => build.void(900),
        type: 'void',
        amounts: { authorizedMinor: 2_900, voidedMinor: 900 },
      },
      'a refund': {
        arrange: sold(),
        make: (build) => build.refund(1_000),
        type: 'refund',
        amounts: { capturedMinor: 2_900, refundedMinor: 1_000 },
      },
      'a capture whose answer gets lost': {
        arrange: authorized('capture-lost'),
        make: (build) => build.capture(),
        type: 'capture',
        amounts: { capturedMinor: 2_900 },
      },
      'a refund that is declined': {
        arrange: sold('refunds-declined'),
        make: (build) => build.refund(),
        type: 'refund',
        amounts: { capturedMinor: 2_900, refundedMinor: 0 },
      },
    }
    /** What both requests for a payment share, whichever of them comes first. */
    const shared = <Thing>(make: (payment: RacedPayment) => Promise<Thing>) => {
      const made = new Map<string, Promise<Thing>>()
      return (payment: RacedPayment): Promise<Thing> => {
        const thing = made.get(payment.invoiceId) ?? make(payment)
        made.set(payment.invoiceId, thing)
        return thing
      }
    }
    const sourceOf = shared(() => stage.actor.makeSource())
    /** Both of the two make the same step of each of these requests. */
    const racesOf = (
      stepOf: (request: Request) => Step,
      verify: (ended: Ended) => void,
      names: readonly string[] = Object.keys(REQUESTS),
    ): Record<string, Race> => {
      const requests = Object.entries(REQUESTS).filter(([name]) => names.includes(name))
      return Object.fromEntries(
        requests.map(([name, request]) => {
          const contender = stepOf(request)
          const race: Race = {
            arrange: request.arrange,
            contenders: [contender, contender],
            verify: (ended) => {
              expect(ended.books.transaction).toMatchObject(request.amounts)
              expect(countAsked(ended, request.type)).toBe(1)
              verify(ended)
            },
          }
          return [name, race]
        }),
      )
    }
    const requestWith =
      (idempotencyOf: (payment: RacedPayment) => IdempotencyClaim | null) =>
      ({ make }: Request): Step =>
      async (payment) => {
        const idempotency = idempotencyOf(payment)
        const command = make(stage.actor.build, await sourceOf(payment), idempotency)
        return stage.actor.executeCommand(payment.invoiceId, { ...command, idempotency })
      }

    testEach(
      'one idempotency key does its work once',
      racesOf(requestWith(keyOf), ({ kinds }) => expect(kinds.filter((kind) => kind === 'duplicate')).toHaveLength(1)),
    )
    // Its request would be told for ever that it is being processed.
    test('no idempotency key is left without an answer', async () => {
      expect(await stage.database.orm.em.fork().count(IdempotencyKeyEntity, { completedAt: null })).toBe(0)
    })

    testEach(
      'one request that comes twice without a key takes the money once',
      racesOf(
        requestWith(() => null),
        ({ kinds }) => expect(kinds.some((kind) => kind === 'done' || kind === 'pending')).toBe(true),
        ['an authorization', 'a sale', 'a capture', 'a capture whose answer gets lost'],
      ),
    )

    const stepOfTwoWorkers = ({ make }: Request): Step => {
      const commandOf = shared(async (payment) => make(stage.actor.build, await sourceOf(payment), null))
      return async (payment) => stage.actor.executeCommand(payment.invoiceId, await commandOf(payment))
    }
    testEach(
      'one step that two workers do at once is done once',
      racesOf(stepOfTwoWorkers, ({ kinds }) => expect(kinds).not.toContain('refused')),
    )
  })
}

function keyOf({ invoiceId }: RacedPayment): IdempotencyClaim {
  const id = Buffer.from(invoiceId).toString('hex').slice(-64)
  return { id, requestHash: 'a'.repeat(64), requestId: 'req_1' }
}
