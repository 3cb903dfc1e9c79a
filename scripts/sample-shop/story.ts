/** What has happened in the sample shop: always the same, as so many days and hours before now. */

export interface Person {
  first_name: string
  last_name: string
  email: string
  country_code: string
  currency: string
  /** A test card of the country, where there is one. */
  card: string
}

export const CARDS = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  french: '4360000001000005',
  british: '4658580000000008',
  danish: '4571730000000003',
  italian: '4023600000000002',
  frictionless: '4000000000003055',
  challenge: '4000000000000101',
  expired: '4000000000002214',
} as const

const person = (name: readonly [string, string], at: string, country_code: string, card: string, currency = 'EUR') => {
  const [first_name, last_name] = name
  return { first_name, last_name, email: `${at}@example.com`, country_code, currency, card }
}

export const PEOPLE: readonly Person[] = [
  person(['Ada', 'Lindqvist'], 'ada.lindqvist', 'SE', CARDS.visa),
  person(['Élodie', 'Marchand'], 'elodie', 'FR', CARDS.french),
  person(['Jürgen', 'Weiß'], 'j.weiss', 'DE', CARDS.mastercard),
  person(['Zoë', 'van den Berg'], 'zoe.vandenberg', 'NL', CARDS.mastercard),
  person(['Chiara', 'Ferrari'], 'chiara.ferrari', 'IT', CARDS.italian),
  person(['Łukasz', 'Wójcik'], 'lukasz', 'PL', CARDS.visa),
  person(['María José', 'Ibáñez'], 'mj.ibanez', 'ES', CARDS.mastercard),
  person(['Owen', 'Gallagher'], 'owen', 'IE', CARDS.visa),
  person(['Harriet', 'Clarke'], 'h.clarke', 'GB', CARDS.british, 'GBP'),
  person(['Søren', 'Kjær'], 'soren.kjaer', 'DK', CARDS.danish),
  person(['Ελένη', 'Παπαδάκη'], 'eleni', 'GR', CARDS.visa),
  person(['عائشة', 'المنصوري'], 'aisha', 'AE', CARDS.mastercard),
  person(['Chidinma', 'Okafor'], 'chidinma.okafor', 'GB', CARDS.british, 'GBP'),
  person(['Tomáš', 'Dvořák'], 'dvorak', 'CZ', CARDS.visa),
  person(['Beatriz', 'Carvalho'], 'beatriz.c', 'PT', CARDS.mastercard),
  person(['Олена', 'Шевченко'], 'olena', 'UA', CARDS.visa),
]

interface Line {
  name: string
  amount: string
  quantity: number
}

const GOODS: readonly (readonly [name: string, cents: number])[] = [
  ['Espresso beans 1 kg', 2450],
  ['Filter coffee 500 g', 1390],
  ['Stoneware mug', 1200],
  ['Hand grinder', 8900],
  ['Pour-over set', 5400],
  ['Coffee subscription', 2900],
  ['Filter papers', 650],
  ['Moka pot', 3800],
  ['Milk jug', 2250],
  ['Descaler', 990],
]

/** What happens to a payment after its invoice, at so many hours after that. */
export type Step =
  | { do: 'authorize' | 'sale'; after: number; card?: string; name?: string; more?: Record<string, unknown> }
  | { do: 'capture' | 'void' | 'refund' | 'increment'; after: number; more?: Record<string, unknown> }
  /** The steps of a dispute come by themselves. */
  | { do: 'dispute'; after: number; steps: number }

export interface Order {
  number: string
  person: Person
  lines: readonly Line[]
  /** In minor units. */
  amount: number
  hoursAgo: number
  steps: readonly Step[]
}

export const price = (minor: number) => (minor / 100).toFixed(2)

/** Numbers from 0 to 1 in an order that is always the same (an LCG of Knuth's). */
function numbers(): () => number {
  let state = 20_261_129n
  return () => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    return Number(state >> 11n) / 2 ** 53
  }
}

/** So that the month before is there whole on any day. */
const DAYS = 62
const FIRST_NUMBER = 3_802
const HOUR = 1
const DAY = 24 * HOUR

/** How orders go, and how many of a hundred. */
const COURSES: readonly (readonly [weight: number, steps: (order: Omit<Order, 'steps'>) => Step[]])[] = [
  [44, () => [{ do: 'sale', after: 0.01 }]],
  [
    20,
    () => [
      { do: 'authorize', after: 0.01 },
      { do: 'capture', after: 26 },
    ],
  ],
  [9, ({ person }) => [{ do: 'sale', after: 0.02, card: CARDS.frictionless, name: nameOf(person) }]],
  [5, () => [{ do: 'sale', after: 0.01, card: '4000000000002180' }]],
  [4, () => [{ do: 'sale', after: 0.01, card: '4000000000002206' }]],
  [2, () => [{ do: 'sale', after: 0.01, card: CARDS.expired }]],
  [1, () => [{ do: 'sale', after: 0.01, card: '4000000000002230' }]],
  [
    4,
    () => [
      { do: 'sale', after: 0.01, card: '4000000000002206' },
      { do: 'sale', after: 0.06 },
    ],
  ],
  [
    4,
    ({ amount }) => [
      { do: 'sale', after: 0.01 },
      { do: 'refund', after: 70, more: { amount: price(Math.ceil(amount / 3)) } },
    ],
  ],
  [
    3,
    ({ amount }) => [
      { do: 'sale', after: 0.01 },
      { do: 'refund', after: 50, more: { amount: price(amount) } },
    ],
  ],
  [
    3,
    () => [
      { do: 'authorize', after: 0.01 },
      { do: 'void', after: 20 },
    ],
  ],
  [1, () => [{ do: 'sale', after: 0.01, name: 'SANDBOX:three-d-s-failed' }]],
]

export const nameOf = ({ first_name, last_name }: Person) => `${first_name} ${last_name}`

function courseAt(share: number): (typeof COURSES)[number][1] {
  let left = share * COURSES.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, steps] of COURSES) {
    left -= weight
    if (left < 0) return steps
  }
  throw new Error('A share is less than 1.')
}

/** Disputes that are open now, and some that were decided. */
const DISPUTES: readonly [hoursAgo: number, card: string, name: string | undefined, steps: number, after: number][] = [
  [9 * DAY, '4000000000000069', undefined, 1, 7 * DAY],
  [13 * DAY, '4000000000000069', undefined, 1, 8 * DAY],
  [31 * DAY, '4000000000000200', undefined, 2, 9 * DAY],
  [40 * DAY, CARDS.visa, 'SANDBOX:chargeback-lost', 2, 11 * DAY],
]

/** What nobody has to do with, oldest first. */
export function orders(now = Date.now()): Order[] {
  const random = numbers()
  const pick = <Thing>(things: readonly Thing[]): Thing => things[Math.floor(random() * things.length)] as Thing
  const made: Order[] = []
  const order = (hoursAgo: number): Omit<Order, 'steps'> => {
    const chosen = [...new Set(Array.from({ length: 1 + Math.floor(random() * 2.4) }, () => pick(GOODS)))]
    const lines = chosen.map(([name, cents]) => ({
      name,
      amount: price(cents),
      quantity: 1 + Math.floor(random() * 1.5),
    }))
    const amount = lines.reduce((sum, line) => sum + Math.round(Number(line.amount) * 100) * line.quantity, 0)
    return { number: '', person: pick(PEOPLE), lines, amount, hoursAgo }
  }
  for (let day = DAYS; day >= 0; day -= 1) {
    // More at the end of the week, and a little more each week.
    const weekday = new Date(now - day * DAY * 3_600_000).getUTCDay()
    const busy = [0.8, 0.7, 0.8, 0.9, 1.1, 1.5, 1.3][weekday] ?? 1
    const count = Math.round(busy * (2.6 + (DAYS - day) / 20 + random() * 1.6))
    for (let number = 0; number < count; number += 1) {
      const planned = order(day * DAY + random() * 14 + 1)
      // What is over now was over then: later steps of the last days have not happened yet.
      const steps = courseAt(random())(planned).filter(({ after }) => after < planned.hoursAgo - 1)
      made.push({ ...planned, steps })
    }
  }
  for (const [hoursAgo, card, name, steps, after] of DISPUTES)
    made.push({
      ...order(hoursAgo),
      steps: [
        { do: 'sale', after: 0.01, card, ...(name !== undefined && { name }) },
        { do: 'dispute', after, steps },
      ],
    })
  return made
    .toSorted((first, second) => second.hoursAgo - first.hoursAgo)
    .map((one, place) => ({ ...one, number: String(FIRST_NUMBER + place * 2) }))
}
