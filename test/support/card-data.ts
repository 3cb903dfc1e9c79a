/** A card that is paid with in tests. The security code is one that nothing else in a test is. */
export const TEST_CARD = { number: '4242424242424242', cvc: '737' } as const

/**
 * Digits that could be a card number: 13 to 19 of them, Luhn-valid, first digit 2 to 6 as the card schemes' are
 * (ISO/IEC 7812), on their own. Numbers from 1 on are left out because epoch milliseconds are among them, and digits
 * within words because hashes and random ids are full of them.
 */
const NUMBER_PATTERN = /(?<![0-9A-Za-z])[2-6]\d{12,18}(?![0-9A-Za-z])/g

/**
 * Finds card numbers in a text, and the security code where one is given, and says what it found without repeating
 * more than a person needs to find it.
 *
 * @param secrets numbers and codes that were used; a number is found in any surroundings and with any separators.
 */
export function findCardData(text: string, secrets: { numbers: readonly string[]; cvcs: readonly string[] }): string[] {
  const joined = text.replaceAll(/(?<=\d)[ -](?=\d)/g, '')
  const known = secrets.numbers.filter((number) => joined.includes(number)).map((number) => `the number ${number}`)
  const possible = [...text.matchAll(NUMBER_PATTERN)]
    .filter(([digits]) => isLuhnValid(digits) && !secrets.numbers.includes(digits))
    .map(({ 0: digits, index }) => `what may be a number, ${digits}, in ${surroundings(text, index)}`)
  const codes = secrets.cvcs.flatMap((cvc) =>
    [...text.matchAll(codePattern(cvc))].map(({ index }) => `the security code in ${surroundings(text, index)}`),
  )
  return [...known, ...possible, ...codes]
}

/** Three digits are everywhere, so a code counts only as a word of its own and not as the value of a JSON number. */
function codePattern(cvc: string): RegExp {
  return new RegExp(`(?<![\\w.]|":)${cvc}(?![\\w.])`, 'g')
}

function surroundings(text: string, index: number): string {
  return JSON.stringify(text.slice(Math.max(0, index - 40), index + 20))
}

/** ISO/IEC 7812-1, annex B. */
export function isLuhnValid(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** What the server counts by itself: any of them may come to three digits that are a security code. */
const COUNTED = /^(?:historySizeBytes|\w*eventId)$/i

/** Fields with the name of a worker, such as that of its own task queue. */
const SAYS_WHO = /^(?:identity|name)$/

/** A recorded history as text, with every payload of it decoded, so that nothing hides in base64. */
export function readableHistory(history: unknown): string {
  if (typeof history === 'string') return `${history}\n${decoded(history)}`
  if (typeof history !== 'object' || history === null) return String(history)
  // Without their places, which may be those of a security code.
  if (Array.isArray(history)) return history.map(readableHistory).join('\n')
  return Object.entries(history)
    .filter(([name]) => !COUNTED.test(name))
    .map(([name, value]) => `${name}: ${readableHistory(SAYS_WHO.test(name) ? withoutProcessId(value) : value)}`)
    .join('\n')
}

/** The SDK calls itself by its process id and the machine, such as `737@shop`; another name is left as it is. */
function withoutProcessId(identity: unknown): unknown {
  return typeof identity === 'string' ? identity.replace(/^\d{1,7}@/, '') : identity
}

function decoded(text: string): string {
  return /^[A-Za-z0-9+/]{4,}={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('utf8') : ''
}
