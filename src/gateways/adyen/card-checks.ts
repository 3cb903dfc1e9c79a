import type { CardCheck, CardChecks } from '../../../domain/operation.ts'

/** By the number that `cvcResult` begins with. Source: Adyen, "CVC/CVV result codes". */
const CVC: Readonly<Record<string, CardCheck>> = {
  '0': 'unknown',
  '1': 'passed',
  '2': 'failed',
  '3': 'unchecked',
  '4': 'unchecked',
  '5': 'unavailable',
  '6': 'unchecked',
}

/** By the number that `avsResult` begins with; a match of one half alone has not passed. Source: Adyen, "AVS result codes". */
const AVS: Readonly<Record<string, CardCheck>> = {
  '0': 'unknown',
  '1': 'failed',
  '2': 'failed',
  '3': 'unavailable',
  '4': 'unavailable',
  '5': 'unchecked',
  '6': 'failed',
  '7': 'passed',
  '8': 'unknown',
  '9': 'unknown',
  '10': 'failed',
  '11': 'unknown',
  '12': 'unknown',
  '13': 'failed',
  '14': 'unknown',
  '15': 'unknown',
  '16': 'failed',
  '17': 'failed',
  '18': 'unchecked',
  '19': 'failed',
  '20': 'passed',
  '21': 'failed',
  '22': 'failed',
  '23': 'failed',
  '24': 'passed',
  '25': 'failed',
  '26': 'failed',
}

/** The checks of an answer that names at least one, such as `1 Matches` and `7 Both postal code and address match`. */
export function cardChecksOf(data: Readonly<Record<string, unknown>>): CardChecks | null {
  const { cvcResult, avsResult } = data
  if (typeof cvcResult !== 'string' && typeof avsResult !== 'string') return null
  return { cvcCheck: checkOf(CVC, cvcResult), avsCheck: checkOf(AVS, avsResult) }
}

function checkOf(table: Readonly<Record<string, CardCheck>>, result: unknown): CardCheck {
  if (typeof result !== 'string') return 'unchecked'
  const number = /^\d+/.exec(result)?.[0]
  return table[number ?? ''] ?? 'unknown'
}
