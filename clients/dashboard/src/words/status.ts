/** Statuses and codes of the interface in words of a person. */
import type { TransactionStatus } from '../../../../domain/transaction.ts'

export type Tone = 'good' | 'bad' | 'waiting' | 'neutral'

export const PAYMENT_STATUSES: Readonly<Record<TransactionStatus, { words: string; tone: Tone; meaning: string }>> = {
  waiting: { words: 'Waiting', tone: 'waiting', meaning: 'The gateway is being asked, or the customer authenticates.' },
  pending: { words: 'Pending', tone: 'waiting', meaning: 'The outcome of the authorization is not known yet.' },
  authorized: { words: 'Authorized', tone: 'neutral', meaning: 'The money is reserved, and not captured yet.' },
  'pending-capture': { words: 'Capture pending', tone: 'waiting', meaning: 'The capture is not confirmed yet.' },
  completed: { words: 'Captured', tone: 'good', meaning: 'The money was captured, all of it or a part.' },
  failed: { words: 'Failed', tone: 'bad', meaning: 'It was declined; another card may be tried.' },
  voided: { words: 'Voided', tone: 'neutral', meaning: 'The reserved money was released.' },
  'partially-refunded': { words: 'Partly refunded', tone: 'neutral', meaning: 'A part was refunded.' },
  refunded: { words: 'Refunded', tone: 'neutral', meaning: 'The payment was refunded in full.' },
  'in-review': { words: 'In review', tone: 'waiting', meaning: 'It is under review.' },
  blocked: { words: 'Blocked', tone: 'bad', meaning: 'One of your routing rules has refused it.' },
  'retrieval-request': { words: 'Evidence requested', tone: 'bad', meaning: 'The issuer asks for evidence of it.' },
  'fraud-notification': {
    words: 'Fraud reported',
    tone: 'bad',
    meaning: 'The cardholder reported fraud to the issuer.',
  },
  'chargeback-initiated': { words: 'Chargeback', tone: 'bad', meaning: 'The issuer takes the money back.' },
  solved: { words: 'Chargeback won', tone: 'good', meaning: 'The chargeback was won; the money stays.' },
  reversed: { words: 'Chargeback lost', tone: 'bad', meaning: 'The chargeback was lost; the money is gone.' },
}

export const WEBHOOK_STATUSES: Readonly<Record<string, { words: string; tone: Tone }>> = {
  pending: { words: 'On its way', tone: 'waiting' },
  delivered: { words: 'Delivered', tone: 'good' },
  failed: { words: 'Failed', tone: 'bad' },
}

const FAILURE_REASONS: Readonly<Record<string, string>> = {
  http_status: 'The answer was no success',
  redirect: 'The answer was a redirect, which is not followed',
  timeout: 'No answer within 10 seconds',
  connection_failed: 'No connection',
  tls_failed: 'The certificate cannot be trusted',
  invalid_response: 'The answer was not HTTP',
  dns_lookup_failed: 'The name has no address',
  forbidden_target: 'The address is not public, so nothing was sent',
  https_required: 'Live webhooks go to https only, so nothing was sent',
  invalid_url: 'The address cannot be used, so nothing was sent',
  endpoint_disabled: 'The endpoint is switched off, so nothing was sent',
  endpoint_deleted: 'The endpoint was deleted, so nothing more is sent',
}

export function failureWords(reason: string): string {
  return FAILURE_REASONS[reason] ?? reason
}

/** Why an endpoint is switched off. */
export const DISABLED_REASONS: Readonly<Record<string, string>> = {
  merchant: 'Switched off here.',
  gone: 'Switched off by us: it has answered “410 Gone” three times in a row.',
  failing: 'Switched off by us: it has accepted nothing for five days.',
}

export const REFUND_REASONS = [
  { value: 'customer_request', label: 'Requested by the customer' },
  { value: 'duplicate', label: 'Paid twice' },
  { value: 'fraud', label: 'Fraud' },
  { value: 'other', label: 'Another reason' },
] as const

export const ROLE_WORDS = {
  owner: { words: 'Owner', meaning: 'May do everything, people and live API keys included.' },
  developer: {
    words: 'Developer',
    meaning: 'Takes and refunds payments, sets up webhooks, routing and gateways, and makes sandbox API keys.',
  },
  support: { words: 'Support', meaning: 'Sees everything and changes nothing.' },
} as const

export const PERMISSION_WORDS = {
  read: { words: 'Read', meaning: 'See payments, customers, events and settings.' },
  payments: { words: 'Payments', meaning: 'Create, authorize, capture and void payments.' },
  refunds: { words: 'Refunds', meaning: 'Refund payments.' },
  configuration: {
    words: 'Configuration',
    meaning: 'Change gateways and routing rules, and resolve differences of the books.',
  },
  webhooks: { words: 'Webhooks', meaning: 'Change endpoints, and send events again.' },
} as const

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
  return SCHEMES[scheme] ?? scheme.replace(/^./, (letter) => letter.toUpperCase())
}

/** A code such as `card.do-not-honor` as "Do not honor". */
export function codeWords(code: string): string {
  const words = (code.split('.').at(-1) ?? code).replaceAll(/[-_]/g, ' ')
  return words.replace(/^./, (letter) => letter.toUpperCase())
}
