import type { Said } from '../../../../../src/dashboard/contract.ts'
import { money } from '../../words/format.ts'
import { cardWords, codeWords } from '../../words/status.ts'
import { isolated, wordsOf } from '../../words/words.ts'

/** A sentence that the service has said by its code; names of others in it cannot turn it. */
export function sentence(about: 'title' | 'detail' | 'actor', { code, values }: Said): string {
  const { amount, currency, name, message = '', error_code: errorCode, scheme, last_4_digits: last4 } = values
  if (code === 'message') return isolated(message)
  const shown: Record<string, string> = {}
  if (amount !== undefined && currency !== undefined) shown.amount = money(amount, currency)
  if (name !== undefined) shown.name = isolated(name)
  if (scheme !== undefined && last4 !== undefined) shown.card = cardWords(scheme, last4)
  if (errorCode !== undefined) Object.assign(shown, { code: errorCode, words: codeWords(errorCode, message) })
  return wordsOf(`timeline.${about}`, code, shown) ?? code
}
