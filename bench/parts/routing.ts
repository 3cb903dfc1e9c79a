import { compile } from '../../domain/routing/compile.ts'
import type { RoutingFacts } from '../../domain/routing/facts.ts'
import { parseRules } from '../../src/routing/parse-rules.ts'
import { factsOf, ruleSetOf } from '../../test/domain/routing/builders.ts'
import { pick, seededRandom } from '../../test/support/chance.ts'
import { figureOf } from '../figures.ts'
import type { Part, PartContext, PartResult } from '../part.ts'

/** On one core; a decision is then far below what the database takes for the same payment. */
const BAR = { atLeast: 500_000, of: 'measured' } as const
const RULES = 100
/** More than the processor keeps in its nearest memory, so that a payment is not always a known one. */
const PAYMENTS = 20_000
const SECONDS = 2
const SECONDS_QUICK = 0.5

const COUNTRIES = ['FR', 'GB', 'DE', 'ES', 'IT', 'NL', 'BE', 'PT', 'US', 'IE', 'AT', 'SE', 'DK', 'PL', 'JP', 'BR']
const CURRENCIES = ['EUR', 'GBP', 'USD', 'SEK', 'PLN']
const SCHEMES = ['visa', 'mastercard', 'american express', 'discover']
const GATEWAYS = Array.from({ length: 10 }, (_, index) => `gway_conf_${String(index).padStart(32, '0')}`)
const OPTIONS = { defaultCurrency: 'EUR' }

export const part: Part = {
  name: 'routing',
  title: 'Routing decisions',
  about: 'Decisions a second and core by a set of 100 rules, beside a loop that only reads what they look at.',
  stage: 'none',
  run: measure,
}

/** That the decisions are the right ones is told by test/domain/routing. */
async function measure(context: PartContext): Promise<PartResult> {
  const random = seededRandom(1)
  const rules = compile(ruleSetOf(...parseRules(createRules(random), OPTIONS)), OPTIONS)
  const payments = Array.from({ length: PAYMENTS }, () => createPayment(random))
  const decide = (facts: RoutingFacts) => rules.decide(facts).kind === 'routed'
  const routed = payments.filter(decide).length
  const read = ({ amountMinor, currency, ipCountry, cardCountry, cardScheme, channel }: RoutingFacts) =>
    amountMinor + [currency, ipCountry, cardCountry, cardScheme, channel].join().length > 0
  const rates = (seconds: number) => ({
    beside: perSecond(payments, seconds, read),
    measured: perSecond(payments, seconds, decide),
  })
  rates(SECONDS_QUICK)
  const repeats = await context.repeat(async () => rates(context.quick ? SECONDS_QUICK : SECONDS))
  const text = { name: `decisions, ${RULES} rules`, unit: '/s', besideName: 'reading the same payments', bar: BAR }
  return { figures: [figureOf(text, repeats)], audit: { routed }, repeats }
}

/** A second of computing, not of the clock. What the work gives is looked at, so that no compiler can leave it out. */
function perSecond(payments: readonly RoutingFacts[], seconds: number, work: (facts: RoutingFacts) => boolean): number {
  const before = process.cpuUsage()
  let [hits, count, tookSeconds] = [0, 0, 0]
  while (tookSeconds < seconds) {
    for (const facts of payments) hits += Number(work(facts))
    count += payments.length
    const { user, system } = process.cpuUsage(before)
    tookSeconds = (user + system) / 1e6
  }
  if (hits === 0) throw new Error('Nothing was decided.')
  return count / tookSeconds
}

/** As merchants have them: by market, scheme, amount and kind of customer, with a last one for everything else. */
function createRules(random: () => number): string {
  const one = (words: readonly string[]) => pick(random, words)
  const countries = () => [...new Set([one(COUNTRIES), one(COUNTRIES), one(COUNTRIES)])].join(', ')
  const amount = () => String(5 + Math.floor(random() * 500))
  const special = () =>
    one([
      'block { condition: velocity{path: card_fingerprint; interval: 1h} > 9; tags: fraud }',
      `block { condition: ip_country in (${one(COUNTRIES)}) AND card_country not-in (${countries()}) AND amount > 500 }`,
      `trigger_3ds { condition: card_country in (${countries()}) AND amount > ${amount()}; tags: sca }`,
    ])
  const condition = () =>
    one([
      `currency == ${one(CURRENCIES)} AND card_country == ${one(COUNTRIES)} AND amount < ${amount()}`,
      `card_scheme == "${one(SCHEMES)}" AND card_country in (${countries()}) AND card_type == credit`,
      `currency == ${one(CURRENCIES)} AND (card_category == commercial OR metadata.plan == pro) AND amount > ${amount()}`,
      `currency in (${one(CURRENCIES)}, ${one(CURRENCIES)}) AND channel == ios AND card_country in (${countries()})`,
    ])
  const text = Array.from({ length: RULES - 1 }, (_, index) =>
    index < RULES / 5
      ? special()
      : `route { gateways: ${one(GATEWAYS.slice(1))} 70, ${GATEWAYS[0]} 30; condition: ${condition()}; fallback: true }`,
  )
  text.push(`route { gateways: ${GATEWAYS.map((id) => `${id} 1`).join(', ')}; tags: everything else; fallback: true }`)
  return text.join('\n')
}

/** As a merchant's ordinary day brings them: the home market is likelier than others. */
function createPayment(random: () => number): RoutingFacts {
  const one = (words: readonly string[]) => words[Math.floor(random() ** 2 * words.length)] as string
  return factsOf({
    amountMinor: 100 + Math.floor(random() ** 3 * 200_000),
    currency: one(CURRENCIES),
    ipCountry: one(COUNTRIES),
    cardCountry: one(COUNTRIES),
    cardScheme: one(SCHEMES),
    channel: one(['web', 'ios', 'android']),
  })
}
