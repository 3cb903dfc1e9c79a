import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@jest/globals'
import type { Command, CommandAnswer } from '../../../domain/command.ts'
import type { GatewayOperationType } from '../../../domain/operation.ts'
import type { Gateway } from '../../../src/gateways/gateway.ts'
import { TransactionEntity, type TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import { chance, forSeeds } from '../../support/chance.ts'
import { makeDatabase } from '../../support/database.ts'
import { forFile } from '../../support/for-file.ts'
import { makePaymentActor, type PaymentActor, type When } from '../../support/payment-actor.ts'
import { auditPayment } from '../../support/payment-audit.ts'
import { type PaymentBooks, readBooks } from '../../support/payment-books.ts'
import { copyPayment, idInCopy } from '../../support/payment-copies.ts'

/** For the races of one test on a busy machine, and for each that is asked for besides. */
const RACES_WITHIN_MS = 600_000
/** As many payments at once as leave the connections able to make two steps of one payment collide. */
const AT_ONCE = 4
/** About as long as a step takes, so that the second one meets the first at every point of its way. */
const LAG_MAX_MS = 25
/** The gateway takes this long at most before it does its work, and as long before it answers: answers overtake each other. */
const JITTER_MAX_MS = 4
/** Pending outcomes are final on the second look-up, lost ones on the first. */
const LOOK_UPS = 2

/** The payment that is raced for. */
export interface RacedPayment {
  invoiceId: string
  seed: number
  /** Ids of the lines of the invoice. */
  lines: string[]
}

/** How a race ended: what each contender was told, and all that is written. */
interface Ended {
  /** In the order of the contenders, whichever of them was first. */
  kinds: [CommandAnswer['kind'], CommandAnswer['kind']]
  books: PaymentBooks
}

/** What one of the two does. */
export type Step = (payment: RacedPayment) => Promise<{ answer: CommandAnswer }>

/** What the two may be told, with `|` between alternatives, and what the payment then is. */
export type Ending = readonly [one: string, other: string, transaction: Partial<TransactionRow>]

export interface Race {
  /** What the payment has behind it when the race begins. */
  arrange: (invoiceId: string) => Promise<unknown>
  contenders: readonly [Step, Step]
  /** All the ways in which the race may end. */
  endings: readonly Ending[]
  /** Calls of which the gateway was asked for one. */
  askedOnce?: readonly GatewayOperationType[]
  /** What the lines of the invoice amount to, where it has any. */
  lineAmounts?: readonly number[]
}

/** Whichever of the two was first. */
export const eitherWay = (one: string, other: string, transaction: Ending[2]): Ending[] => [
  [one, other, transaction],
  [other, one, transaction],
]

/** Two steps of one payment at once, on a real database, with no queue before them: only its row lock decides. */
async function makeRacesStage() {
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

  return { database, actor, run }
}

/**
 * The races of a block of tests.
 *
 * @param runs how often each pair of steps races, all its variants together.
 */
export function racesForBlock(runs: number) {
  const stage = forFile(makeRacesStage, ({ database }) => database.drop())
  const execute = async (payment: RacedPayment, command: Command, when: When = {}) =>
    stage.actor.executeCommand(payment.invoiceId, command, when)
  return {
    stage,
    /** A contender whose command is made anew each time. */
    step:
      (make: (build: PaymentActor['build'], payment: RacedPayment) => Command, when: When = {}): Step =>
      (payment) =>
        execute(payment, make(stage.actor.build, payment), when),
    /** A payment that is authorized in a scenario of the simulator, or sold; it can be raised. */
    authorized:
      (scenario = 'approved', values: object = {}, when: When = {}) =>
      async (invoiceId: string) => {
        const { build, makeSource, executeCommand } = stage.actor
        await executeCommand(
          invoiceId,
          build.authorize(await makeSource(scenario), { incremental: true, ...values }),
          when,
        )
      },
    /** A test for each variant of a pair. */
    testEach(title: string, variants: Readonly<Record<string, Race>>): void {
      const races = Object.entries(variants)
      const count = Math.ceil(runs / races.length)
      test.each(races)(`${title}: %s`, (_, race) => stage.run(race, count), RACES_WITHIN_MS + runs * 500)
    },
  }
}

function judge({ endings, askedOnce }: Race, { kinds, books }: Ended): string[] {
  const findings = auditPayment(books)
  const isEnding = ([one, other, transaction]: Ending) =>
    one.split('|').includes(kinds[0]) &&
    other.split('|').includes(kinds[1]) &&
    Object.entries(transaction).every(([name, value]) => isSame(books.transaction[name as keyof TransactionRow], value))
  if (!endings.some(isEnding)) {
    const { authorizedMinor, capturedMinor, voidedMinor, refundedMinor } = books.transaction
    const amounts = { authorizedMinor, capturedMinor, voidedMinor, refundedMinor }
    findings.push(`no race ends so: ${JSON.stringify(amounts)}`)
  }
  const asked = books.requests.filter(({ type }) => askedOnce?.includes(type))
  if (askedOnce !== undefined && asked.length !== 1) findings.push(`the gateway was asked ${asked.length} times`)
  return findings
}

const isSame = (found: unknown, wanted: unknown) => (found ?? null) === (wanted ?? null)

/** What was pending or got lost is looked up until it is known, by two at once. */
async function lookUpWhatIsOpen(actor: PaymentActor, invoiceId: string): Promise<void> {
  for (let round = 0; round < LOOK_UPS; round += 1) {
    const transaction = await actor.deps.orm.em.fork().findOne(TransactionEntity, { invoiceId })
    const open = transaction?.attemptsInFlight ?? []
    if (open.length === 0) return
    const [payment, at] = [actor.referenceOf(invoiceId), actor.deps.clock.now().getTime()]
    const lookUp = (operationId: string) => actor.activities.lookUp({ payment, operationId, at })
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
