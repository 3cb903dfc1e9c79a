import type { CardCheck, CardChecks } from '../../../domain/operation.ts'

type Table = readonly (readonly [check: CardCheck, numbers: readonly string[]])[]

/** By the number that `cvcResult` begins with. Source: Adyen, "CVC/CVV result codes". */
const CVC: Table = [
  ['passed', ['1']],
  ['failed', ['2']],
  ['unchecked', ['3', '4', '6']],
  ['unavailable', ['5']],
]

/** By the number that `avsResult` begins with; a match of one half alone has not passed. Source: Adyen, "AVS result codes". */
const AVS: Table = [
  ['passed', ['7', '20', '24']],
  ['failed', '1 2 6 10 13 16 17 19 21 22 23 25 26'.split(' ')],
  ['unavailable', ['3', '4']],
  ['unchecked', ['5', '18']],
]

/** The checks of an answer that names at least one, such as `1 Matches` and `7 Both postal code and address match`. */
export function cardChecksOf(data: Readonly<Record<string, unknown>>): CardChecks | null {
  const { cvcResult, avsResult } = data
  if (typeof cvcResult !== 'string' && typeof avsResult !== 'string') return null
  return { cvcCheck: checkOf(CVC, cvcResult), avsCheck: checkOf(AVS, avsResult) }
}

function checkOf(table: Table, result: unknown): CardCheck {
  if (typeof result !== 'string') return 'unchecked'
  const number = /^\d+/.exec(result)?.[0] ?? ''
  return table.find(([, numbers]) => numbers.includes(number))?.[0] ?? 'unknown'
}
