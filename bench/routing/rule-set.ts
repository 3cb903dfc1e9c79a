import { numberRules, type RuleSet } from '../../domain/routing/rule.ts'
import { parseRules } from '../../src/routing/parse-rules.ts'
import { seededRandom } from '../measure/random.ts'
import { COUNTRIES, CURRENCIES, PLANS, SCHEMES } from './payments.ts'

/** Of a hundred rules; the rest chooses gateways. */
const BLOCK_PERCENT = 8
const TRIGGER_PERCENT = 7
const DYNAMIC_PERCENT = 10

export const gatewayId = (index: number) => `gway_conf_${String(index).padStart(32, '0')}`

/** Rules as merchants have them: by market, scheme, amount and kind of customer, with a last one for everything else. */
export function createRuleSet(count: number, gateways: number, seed: number): RuleSet {
  const random = seededRandom(seed)
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] as string
  const gateway = () => gatewayId(Math.floor(random() * gateways))
  const several = () => [...new Set([gateway(), gateway(), gateway()])]
  const countries = () => [...new Set([pick(COUNTRIES), pick(COUNTRIES), pick(COUNTRIES)])].join(', ')
  const amount = () => String(5 + Math.floor(random() * 500))
  const block = () =>
    pick([
      `velocity{path: card_fingerprint; interval: 1h} > ${8 + Math.floor(random() * 3)}`,
      `velocity{path: ip_address; interval: 1d} >= 11 AND merchant_initiated == false`,
      `ip_country in (${pick(COUNTRIES.slice(20))}) AND card_country not-in (${countries()}) AND amount > ${amount()}`,
      `card_iin in (${400000 + Math.floor(random() * 1000)}, ${401000 + Math.floor(random() * 1000)})`,
    ])
  const trigger = () =>
    pick([
      `merchant_initiated == false AND currency == ${pick(CURRENCIES)} AND amount >= ${amount()}`,
      `card_country in (${countries()}) AND NOT ip_country in (${countries()}) AND amount > ${amount()}`,
    ])
  const route = () =>
    pick([
      `currency == ${pick(CURRENCIES)} AND card_country == ${pick(COUNTRIES)} AND amount < ${amount()}`,
      `card_scheme == "${pick(SCHEMES)}" AND card_country in (${countries()}) AND card_type == credit`,
      `currency == ${pick(CURRENCIES)} AND (card_category == commercial OR metadata.plan == ${pick(PLANS)}) AND amount > ${amount()}`,
      `currency in (${pick(CURRENCIES)}, ${pick(CURRENCIES)}) AND channel == ios AND card_country in (${countries()})`,
      `card_co_scheme == "carte bancaire" AND currency == EUR AND amount <= ${amount()} AND rand() < 0.3`,
      `merchant_initiated == true AND payment_intent contains recurring AND card_country in (${countries()})`,
    ])
  const times = (percent: number, make: () => string) =>
    Array.from({ length: Math.floor((count * percent) / 100) }, make)
  const special = [
    ...times(BLOCK_PERCENT, () => `block { condition: ${block()}; tags: fraud }`),
    ...times(TRIGGER_PERCENT, () => `trigger_3ds { condition: ${trigger()}; tags: sca }`),
    ...times(
      DYNAMIC_PERCENT,
      () =>
        `dynamic_3ds { gateways: ${gateway()}; condition: card_country == ${pick(COUNTRIES)} AND amount < 30; dynamic_3ds_params: { sca_exemption_reason: low-value } }`,
    ),
  ]
  const routes = Array.from({ length: count - special.length - 1 }, (_, index) => {
    const ids = several()
    const chosen = random() < 0.5 ? ids.join(', ') : ids.map((id, at) => `${id} ${70 - 20 * at}`).join(', ')
    return `route { gateways: ${chosen}; condition: ${route()}; tags: market ${index}; fallback: true }`
  })
  const all = Array.from({ length: gateways }, (_, index) => `${gatewayId(index)} 1`).join(', ')
  const text = [...special, ...routes, `route { gateways: ${all}; tags: everything else; fallback: true }`].join('\n')
  let made = 0
  const rules = numberRules(
    parseRules(text, { defaultCurrency: 'EUR' }),
    () => `rr_${String(made++).padStart(32, '0')}`,
  )
  // As it comes from the database.
  return JSON.parse(JSON.stringify({ id: 'rs_bench', version: 1, rules }))
}
