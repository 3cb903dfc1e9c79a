import type { FieldName, FormState } from '../published.ts'
import { type CodeProblem, type NameProblem, problemOfCode, problemOfName } from './code-and-name.ts'
import { digitsOf } from './digits.ts'
import { type ExpiryProblem, expiryOf, isWhole, problemOfExpiry } from './expiry.ts'
import { isFull, type NumberProblem, problemOfNumber } from './number.ts'

export const FIELDS = ['number', 'expiry', 'cvc', 'name'] as const satisfies readonly FieldName[]

/** The texts of the fields as they are shown. */
export type Values = Record<FieldName, string>
export type Problem = NumberProblem | ExpiryProblem | CodeProblem | NameProblem
export type Problems = Record<FieldName, Problem | null>

export interface Facts {
  /** By the issuer's digits, where the API knows more than the first digits tell. */
  scheme: string | null
  isNameRequired: boolean
  now: Date
}

export function problemsOf(values: Values, { scheme, isNameRequired, now }: Facts): Problems {
  return {
    number: problemOfNumber(digitsOf(values.number)),
    expiry: problemOfExpiry(values.expiry, now),
    cvc: problemOfCode(values.cvc, scheme),
    name: problemOfName(values.name, isNameRequired),
  }
}

/** True where a field is so far that its problem cannot pass by typing on. */
export function isSettled(field: FieldName, values: Values): boolean {
  if (field === 'number') return isFull(digitsOf(values.number))
  return field === 'expiry' && isWhole(values.expiry)
}

/** What the merchant's page is told. */
export function stateOf(
  values: Values,
  problems: Problems,
  shown: Readonly<Partial<Record<FieldName, string>>>,
  schemes: Pick<FormState, 'scheme' | 'coScheme'>,
): FormState {
  const of = (field: FieldName) => ({
    isEmpty: values[field] === '',
    isValid: problems[field] === null,
    error: shown[field] ?? null,
  })
  return {
    isComplete: FIELDS.every((field) => problems[field] === null),
    ...schemes,
    fields: { number: of('number'), expiry: of('expiry'), cvc: of('cvc'), name: of('name') },
  }
}

/** The codes of the API for what the form finds by itself. */
const CODES: Record<Problem, string> = {
  numberMissing: 'card.missing-number',
  numberIncomplete: 'card.invalid-number',
  numberInvalid: 'card.invalid-number',
  expiryMissing: 'card.missing-expiry',
  expiryInvalid: 'card.invalid-expiry-date',
  expiryPast: 'card.invalid-expiry-date',
  cvcMissing: 'card.missing-cvc',
  cvcInvalid: 'card.invalid-cvc',
  nameMissing: 'card.missing-name',
  nameInvalid: 'card.invalid-name',
}

export function codeOf(problem: Problem): string {
  return CODES[problem]
}

/** The fields of `POST /cards`. Only of values without a problem. */
export function cardFieldsOf(values: Values): Record<string, string | number> {
  const { month, year } = expiryOf(values.expiry) ?? { month: 0, year: 0 }
  const name = values.name.trim()
  return {
    number: digitsOf(values.number),
    exp_month: month,
    exp_year: year,
    cvc2: values.cvc,
    ...(name === '' ? {} : { name }),
  }
}
