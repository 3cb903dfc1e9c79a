/** Statuses and codes of the interface in words of a person. */
import { RETRIES_MAX } from '../../../../domain/backoff.ts'
import { PERMISSIONS } from '../../../../domain/permission.ts'
import { ROLES } from '../../../../domain/role.ts'
import type { TransactionStatus } from '../../../../domain/transaction.ts'
import type { Webhook } from '../../../node/src/generated/schemas.ts'
import { isZero } from './format.ts'
import { failureOf, t, wordsOf } from './words.ts'

export type Tone = 'good' | 'bad' | 'waiting' | 'neutral'

export const TONE_COLORS: Readonly<Record<Tone, string>> = {
  good: 'green',
  bad: 'red',
  waiting: 'yellow',
  neutral: 'gray',
}

const PAYMENT_TONES: Readonly<Record<TransactionStatus, Tone>> = {
  waiting: 'waiting',
  pending: 'waiting',
  authorized: 'neutral',
  'pending-capture': 'waiting',
  completed: 'good',
  failed: 'bad',
  voided: 'neutral',
  'partially-refunded': 'neutral',
  refunded: 'neutral',
  'in-review': 'waiting',
  blocked: 'bad',
  'retrieval-request': 'waiting',
  'fraud-notification': 'waiting',
  'chargeback-initiated': 'bad',
  solved: 'good',
  reversed: 'bad',
}

export const PAYMENT_STATUSES = byKey(Object.keys(PAYMENT_TONES) as TransactionStatus[], (status) => ({
  words: t(`status.payment.${status}.words`),
  meaning: t(`status.payment.${status}.meaning`),
  tone: PAYMENT_TONES[status],
}))

/** What says how a payment stands. */
export interface Standing {
  status: TransactionStatus
  authorized_amount: string
  captured_amount: string
}

/** Whether something was captured of what was authorized, and not all. */
export function isPartlyCaptured({ authorized_amount, captured_amount }: Omit<Standing, 'status'>): boolean {
  return !isZero(captured_amount) && captured_amount !== authorized_amount
}

/** The status is the same whether all was captured or a part; the amounts tell. */
export function paymentStanding(payment: Standing): { words: string; meaning: string; tone: Tone } {
  const { status } = payment
  if (status !== 'completed' || !isPartlyCaptured(payment)) return PAYMENT_STATUSES[status]
  return {
    words: t('status.partlyCaptured.words'),
    meaning: t('status.partlyCaptured.meaning'),
    tone: PAYMENT_TONES[status],
  }
}

const WEBHOOK_TONES: Readonly<Record<Webhook['status'], Tone>> = {
  pending: 'waiting',
  delivered: 'good',
  failed: 'bad',
}

/** How a webhook stands. One that was tried and is not delivered is tried again. */
export function webhookStanding({ status, attempt }: Pick<Webhook, 'status' | 'attempt'>): {
  words: string
  tone: Tone
} {
  const words = t(`status.webhook.${status === 'pending' && attempt !== null ? 'retrying' : status}`)
  return { words, tone: WEBHOOK_TONES[status] }
}

/** How many of its tries have failed, since it was sent again where it was; undefined before the first, and once it has arrived. */
export function triesWords({ status, attempt, run }: Pick<Webhook, 'status' | 'attempt' | 'run'>): string | undefined {
  if (attempt === null || status === 'delivered') return undefined
  return t(run === 0 ? 'status.webhook.tries' : 'status.webhook.triesAgain', {
    tries: attempt + 1,
    most: RETRIES_MAX + 1,
  })
}

export function failureWords(reason: string): string {
  return wordsOf('status.failure', reason) ?? reason
}

/** Why an endpoint is switched off. */
export function disabledWords(reason: string | null): string {
  return wordsOf('status.disabled', reason ?? '') ?? ''
}

export const REFUND_REASONS = (['customer_request', 'duplicate', 'fraud', 'other'] as const).map((value) => ({
  value,
  label: t(`status.refund.${value}`),
}))

export const ROLE_WORDS = byKey(ROLES, (role) => ({
  words: t(`status.role.${role}.words`),
  meaning: t(`status.role.${role}.meaning`),
}))

export const PERMISSION_WORDS = byKey(PERMISSIONS, (permission) => ({
  words: t(`status.permission.${permission}.words`),
  meaning: t(`status.permission.${permission}.meaning`),
}))

function byKey<Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Value) {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Readonly<Record<Key, Value>>
}

const SCHEMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  'american express': 'American Express',
  'carte bancaire': 'Carte Bancaire',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
}

export function schemeWords(scheme: string): string {
  return SCHEMES[scheme] ?? capitalized(scheme)
}

/** Of a kind of card, such as `credit`. */
export function cardTypeWords(type: string): string {
  return wordsOf('status.cardType', type) ?? capitalized(type)
}

/** The name of a gateway's adapter, such as `stripe`, as people write it. */
export function capitalized(name: string): string {
  return name.replace(/^./, (letter) => letter.toUpperCase())
}

/** A card inside of a sentence. */
export function cardWords(scheme: string, last4: string): string {
  return `${schemeWords(scheme)} •••• ${last4}`
}

/**
 * The code of an error in words: `card.no-money` as "Not enough funds".
 *
 * @param message what the service says of a code that the pages do not know
 */
export function codeWords(code: string, message = ''): string {
  const known = wordsOf('codes', code) ?? failureOf(code)?.meaning
  if (known !== undefined || message !== '') return known ?? message
  return capitalized((code.split('.').at(-1) ?? code).replaceAll(/[-_]/g, ' '))
}
