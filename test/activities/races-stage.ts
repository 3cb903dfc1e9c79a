import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandAnswer } from '../../domain/command.ts'
import type { GatewayOperationType } from '../../domain/operation.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { chance, forSeeds } from '../support/chance.ts'
import { makeDatabase } from '../support/database.ts'
import { makePaymentActor, type PaymentActor } from '../support/payment-actor.ts'
import { auditPayment } from '../support/payment-audit.ts'
import { type PaymentBooks, readBooks } from '../support/payment-books.ts'
import { copyPayment, idInCopy } from '../support/payment-copies.ts'

/** How often each pair of steps races, all its variants together; `HOLDFAST_RACE_RUNS` raises it. */
const RUNS = Number(process.env.HOLDFAST_RACE_RUNS ?? 60)
/** For the races of one test. */
export const RACES_WITHIN_MS = 120_000 + RUNS * 500
/** As many payments at once as leave the connections able to make two steps of one payment collide. */
const AT_ONCE = 4
/** About as long as a step takes, so that the second one meets the first at every point of its way. */
const LAG_MAX_MS = 25
/** The gateway takes this long at most before it does its work, and as long before it answers: answers overtake each other. */
const JITTER_MAX_MS = 4
/** Pending outcomes are final on the second look-up, lost ones on the first. */
const LOOK_UPS = 2

/** The payment that is raced for. */
export interface Payment {
  invoiceId: string
  seed: number
  /** Ids of the lines of the invoice. */
  lines: string[]
}

/** How a race ended: what each contender was told, and all that is written. */
export interface Ended {
  /** In the order of the contenders, whichever of them was first. */
  kinds: [CommandAnswer['kind'], CommandAnswer['kind']]
  books: PaymentBooks
}

/** What one of the two does. */
export type Step = (payment: Payment) => Promise<{ answer: CommandAnswer }>

export interface Race {
  /** What the payment has behind it when the race begins. */
  arrange: (invoiceId: string) => Promise<unknown>
  contenders: readonly [Step, Step]
  /** What must hold beside the agreement of all books; it throws where it does not. */
  verify: (ended: Ended) => void
  /** What the lines of the invoice amount to, where it has any. */
  lineAmounts?: readonly number[]
}

/** Two steps of one payment at once, on a real database, with no queue before them: only its row lock decides. */
export async function makeRacesStage() {
  const database = await makeDatabase()
  const actor = await makePaymentActor(database, withJitter)

  const run = async (race: Race, count: number): Promise<void> => {
    const original = await actor.makeInvoice()
    const lines = race.lineAmounts === undefined ? [] : await actor.makeLines(original, race.lineAmounts)
    await race.arrange(original)
    await copyPayment(actor.execute, original, count)

    const told = new Map<string, { seed: number; kinds: Ended['kinds'] }>()
    await forSeeds({ count, atOnce: AT_ONCE }, async (seed) => {
      const invoiceId = idInCopy(original, seed)
      const payment = { invoiceId, seed, lines: lines.map((id) => idInCopy(id, seed)) }
      const lag = () => sleep(chance(seed + 1_000_000) * LAG_MAX_MS)
      const [one, two] = race.contenders
      const isReversed = chance(seed) < 0.5
      const answers = await Promise.all([
        isReversed ? lag().then(() => one(payment)) : one(payment),
        isReversed ? two(payment) : lag().then(() => two(payment)),
      ])
      await lookUpWhatIsOpen(actor, invoiceId)
      told.set(invoiceId, { seed, kinds: [answers[0].answer.kind, answers[1].answer.kind] })
    })

    const books = await readBooks({ orm: database.orm, execute: actor.execute }, [...told.keys()])
    const failures = [...told].flatMap(([invoiceId, { seed, kinds }]) => {
      const found = books.get(invoiceId)
      const findings = found === undefined ? ['there is no transaction'] : judge(race, { kinds, books: found })
      return findings.map((finding) => `seed ${seed}, ${kinds.join(' and ')}: ${finding}`)
    })
    if (failures.length > 0) throw new Error(`Of ${count} races, these went wrong:\n${failures.join('\n')}`)
  }

  return {
    actor,
    /** Every variant of a pair, as often as makes the runs of the pair together. */
    async runAll(variants: Readonly<Record<string, Race>>): Promise<void> {
      const races = Object.entries(variants)
      for (const [name, race] of races) {
        await run(race, Math.ceil(RUNS / races.length)).catch((error: Error) => {
          throw new Error(`${name}: ${error.message}`)
        })
      }
    },
    /** No key may stay claimed without an answer: its request would be told for ever that it is being processed. */
    countOpenKeys: () => database.orm.em.fork().count(IdempotencyKeyEntity, { completedAt: null }),
    close: () => database.drop(),
  }
}

export type RacesStage = Awaited<ReturnType<typeof makeRacesStage>>

function judge(race: Race, ended: Ended): string[] {
  const findings = auditPayment(ended.books)
  try {
    race.verify(ended)
  } catch (error) {
    findings.push((error as Error).message)
  }
  return findings
}

/** What was pending or got lost is looked up until it is known, by two at once. */
async function lookUpWhatIsOpen(actor: PaymentActor, invoiceId: string): Promise<void> {
  for (let round = 0; round < LOOK_UPS; round += 1) {
    const transaction = await actor.deps.orm.em.fork().findOne(TransactionEntity, { invoiceId })
    const open = transaction?.attemptsInFlight ?? []
    if (open.length === 0) return
    const lookUp = (operationId: string) =>
      actor.activities.lookUp({
        payment: actor.referenceOf(invoiceId),
        operationId,
        at: actor.deps.clock.now().getTime(),
      })
    await Promise.all(open.flatMap(({ operationId }) => [lookUp(operationId), lookUp(operationId)]))
  }
}

function withJitter(gateway: Gateway): Gateway {
  let calls = 0
  const jittered =
    <Request, Answer>(call: (request: Request, signal: AbortSignal) => Promise<Answer>) =>
    async (request: Request, signal: AbortSignal): Promise<Answer> => {
      calls += 1
      const seed = calls * 2
      await sleep(chance(seed) * JITTER_MAX_MS)
      const answer = await call(request, signal)
      await sleep(chance(seed + 1) * JITTER_MAX_MS)
      return answer
    }
  return {
    ...gateway,
    authorize: jittered(gateway.authorize),
    capture: jittered(gateway.capture),
    increment: jittered(gateway.increment),
    void: jittered(gateway.void),
    refund: jittered(gateway.refund),
  }
}

/** How often the gateway was asked for a step of this kind, repetitions of one reference not counted. */
export function asked({ requests }: PaymentBooks, type: GatewayOperationType): number {
  return requests.filter((request) => request.type === type).length
}
