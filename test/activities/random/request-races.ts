import { describe, expect, test } from '@jest/globals'
import type { Command, IdempotencyClaim } from '../../../domain/command.ts'
import type { GatewayOperationType } from '../../../domain/operation.ts'
import { IdempotencyKeyEntity } from '../../../src/persistence/entities/idempotency-key.ts'
import type { PaymentActor } from '../../support/payment-actor.ts'
import { type Ending, eitherWay, type Race, type RacedPayment, racesForBlock, type Step } from './races-stage.ts'

/** What a merchant's server asks for, the same each time. */
interface Request {
  arrange: Race['arrange']
  /** The command of the request, made anew each time it comes, as the interface makes it. */
  make: (build: PaymentActor['build'], source: string, idempotency: IdempotencyClaim | null) => Command
  type: GatewayOperationType
  /** What it comes to, however often it comes. */
  amounts: Ending[2]
}

export function describeRequestRaces(runs: number): void {
  describe('two requests at once', () => {
    const { stage, step, authorized, testEach } = racesForBlock(runs)
    const sold = (scenario = 'approved') => {
      const sell = async (invoiceId: string) => authorized(scenario, { authorizeOnly: false })(invoiceId)
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
        endings: eitherWay('done', 'refused', { refundedMinor: 2_900 }),
        askedOnce: ['refund'],
      },
      'parts that fit': {
        arrange: sold(),
        contenders: [refund(1_000), refund(1_900)],
        endings: [['done', 'done', { refundedMinor: 2_900 }]],
      },
      'parts that do not fit': {
        arrange: sold(),
        contenders: [refund(2_000), refund(2_000)],
        endings: eitherWay('done', 'refused', { refundedMinor: 2_000 }),
      },
      'the same line': {
        arrange: sold(),
        lineAmounts: [1_000, 900, 1_000],
        contenders: [refund(900, 1), refund(1_900, 0, 1)],
        endings: [
          ['done', 'refused', { refundedMinor: 900 }],
          ['refused', 'done', { refundedMinor: 1_900 }],
        ],
      },
      'both pending, then done': {
        arrange: sold('refund-pending-approved'),
        contenders: [refund(2_000), refund(2_000)],
        endings: eitherWay('pending', 'refused', { refundedMinor: 2_000 }),
      },
      'both pending, then declined': {
        arrange: sold('refund-pending-declined'),
        contenders: [refund(1_000), refund(1_000)],
        endings: [['pending', 'pending', { refundedMinor: 0, refundingMinor: 0 }]],
      },
      'both with a lost answer': {
        arrange: sold('refund-lost'),
        contenders: [refund(), refund()],
        endings: eitherWay('pending', 'refused', { refundedMinor: 2_900 }),
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
        make: (build, source) => build.authorize(source, { authorizeOnly: false }),
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
    /** Both of the two make the same step of each of these requests, and are told what these say. */
    const racesOf = (
      stepOf: (request: Request) => Step,
      told: readonly (readonly [one: string, other: string])[],
      names: readonly string[] = Object.keys(REQUESTS),
    ): Record<string, Race> => {
      const requests = Object.entries(REQUESTS).filter(([name]) => names.includes(name))
      return Object.fromEntries(
        requests.map(([name, request]) => {
          const contender = stepOf(request)
          const endings = told.map(([one, other]): Ending => [one, other, request.amounts])
          return [
            name,
            { arrange: request.arrange, contenders: [contender, contender], endings, askedOnce: [request.type] },
          ]
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

    const ENDED = 'done|pending|declined'
    testEach(
      'one idempotency key does its work once',
      racesOf(requestWith(keyOf), [
        [ENDED, 'duplicate'],
        ['duplicate', ENDED],
      ]),
    )
    // Its request would be told for ever that it is being processed.
    test('no idempotency key is left without an answer', async () => {
      expect(await stage.database.orm.em.fork().count(IdempotencyKeyEntity, { completedAt: null })).toBe(0)
    })

    const ANY = `${ENDED}|refused|unchanged`
    testEach(
      'one request that comes twice without a key takes the money once',
      racesOf(
        requestWith(() => null),
        [
          ['done|pending', ANY],
          [ANY, 'done|pending'],
        ],
        ['an authorization', 'a sale', 'a capture', 'a capture whose answer gets lost'],
      ),
    )

    const stepOfTwoWorkers = ({ make }: Request): Step => {
      const commandOf = shared(async (payment) => make(stage.actor.build, await sourceOf(payment), null))
      return async (payment) => stage.actor.executeCommand(payment.invoiceId, await commandOf(payment))
    }
    testEach(
      'one step that two workers do at once is done once',
      racesOf(stepOfTwoWorkers, [[`${ENDED}|unchanged`, `${ENDED}|unchanged`]]),
    )
  })
}

function keyOf({ invoiceId }: RacedPayment): IdempotencyClaim {
  const id = Buffer.from(invoiceId).toString('hex').slice(-64)
  return { id, requestHash: 'a'.repeat(64), requestId: 'req_1' }
}
