import { randomUUID } from 'node:crypto'
import type { Entry } from '../engine/ledger.ts'
import { type Circumstances, ORDINARY, type Outside, type Step, type WayBack } from '../engine/model.ts'

export type Fields = Readonly<Record<string, string>>
export type Json = Record<string, unknown>

/** An answer that is an error of Stripe. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly body: Json

  constructor(status: number, body: Json) {
    super(String(body.code ?? body.type))
    this.status = status
    this.body = body
  }
}

interface Card {
  id: string
  number: string
  hasCvc: boolean
}

interface Intent {
  id: string
  /** In epoch ms. */
  madeAt: number
  amount: number
  authorized: number
  received: number
  currency: string
  status: string
  cancellationReason: string | null
  /** Of one that was cancelled: its card had been approved. */
  wasApproved: boolean
  lastError: Json | null
  returnUrl: string | null
  isIncremental: boolean
  isMulticapture: boolean
  card: Card
  /** What Stripe reports of the authentication; null without one. */
  secure: Json | null
  /** The one that is open. */
  dispute: (Json & { amount: number }) | null
  metadata: Record<string, string>
}

interface Refund {
  id: string
  /** In seconds. */
  created: number
  intent: Intent
  amount: number
  status: string
  metadata: Record<string, string>
}

/** Stripe's own test cards. Source: its page "Testing". */
const DECLINES: Readonly<Record<string, Json>> = {
  '4000000000000002': { code: 'card_declined', decline_code: 'generic_decline', network_decline_code: '05' },
  '4000000000009995': { code: 'card_declined', decline_code: 'insufficient_funds', network_decline_code: '51' },
  '4000000000009987': { code: 'card_declined', decline_code: 'lost_card', network_decline_code: '41' },
  '4000000000000069': { code: 'expired_card', network_decline_code: '54' },
  '4000000000000127': { code: 'incorrect_cvc', network_decline_code: 'N7' },
}
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))
/** Cards that always have to be authenticated; the holder of the second one then lacks the money. */
const NEEDS_ACTION: ReadonlySet<string> = new Set(['4000002500003155', '4000008260003178'])
const WITHOUT_MONEY = '4000008260003178'
const PASSED = { result: 'authenticated', result_reason: null, electronic_commerce_indicator: '05' }
const SECURE = {
  authentication_flow: 'challenge',
  exemption_indicator: null,
  transaction_id: '5f3d6a0c-8e3a-4f4e-9a76-0c8c1d5f2b11',
  version: '2.2.0',
}
const SLOW = '4000000000009979'
const REFUND_PENDING = '4000000000007726'

/** As Stripe tells it to the account's own key. */
const ACCOUNT: Json = {
  id: 'acct_standin',
  object: 'account',
  charges_enabled: true,
  settings: { dashboard: { display_name: 'Shop of the stand-in' } },
}

/** Every event is of this version. */
const API_VERSION = '2026-10-28.endive'

/** A notification: an event that is not signed yet. */
export type Event = Json

/** The money, as the gateway knows it. */
export class Books {
  readonly intents = new Map<string, Intent>()
  readonly refunds: Refund[] = []
  /** Its balance transactions, the oldest first. */
  readonly booked: Json[] = []
  /** The oldest first. */
  readonly events: Event[] = []
  readonly #cards = new Map<string, Card>()
  readonly #outside: Outside<Event>
  /** Of this stand-in, so that ids of one that was started anew are others. */
  readonly #mark = randomUUID().slice(0, 8)
  #count = 0

  constructor(outside: Outside<Event>) {
    this.#outside = outside
  }

  /** @param reference the idempotency key */
  handle(
    method: string,
    path: string,
    fields: Fields,
    reference: string | null = null,
    circumstances: Circumstances = ORDINARY,
  ): Json {
    const { id } = partsOf(path)
    switch (routeOf(method, path)) {
      case 'POST payment_methods':
        return this.#createCard(fields)
      case 'POST payment_intents':
        return this.#authorize(fields, circumstances)
      case 'GET payment_intents':
        return {
          object: 'list',
          has_more: false,
          url: '/v1/payment_intents',
          data: [...this.intents.values()].map(present),
        }
      case 'GET payment_intents/search':
        return this.#search(fields.query ?? '', circumstances)
      case 'GET payment_intents/id':
        return present(this.#find(id))
      case 'POST payment_intents/id/capture':
        return this.#capture(this.#find(id), fields, reference)
      case 'POST payment_intents/id/cancel':
        return this.#cancel(this.#find(id), fields, reference)
      case 'POST payment_intents/id/confirm':
        return this.#confirm(this.#find(id))
      case 'POST payment_intents/id/increment_authorization':
        return this.#increment(this.#find(id), fields, reference)
      case 'GET account':
        return ACCOUNT
      case 'GET events':
        return this.#listEvents(fields)
      case 'GET balance_transactions':
        return this.#listBooked(fields)
      case 'POST refunds':
        return this.#refund(fields, reference)
      case 'GET refunds':
        return this.#listRefunds(fields.payment_intent ?? '')
    }
    throw refusal(404, 'invalid_request_error', 'unrecognized_route')
  }

  /** Ends an authorization at the end of its days, as Stripe does by itself. */
  expire(id: string): void {
    const intent = this.#find(id)
    intent.wasApproved = true
    intent.status = 'canceled'
    intent.cancellationReason = 'automatic'
    this.#enter('void', null, intent, intent.authorized - intent.received)
    this.#tell('void', 'payment_intent.canceled', present(intent))
  }

  /** The customer has left Stripe's page, which settles what is still open. */
  authenticate(id: string, passes = true): void {
    const intent = this.#find(id)
    if (intent.status !== 'requires_action') return
    if (passes) this.#authenticated(intent)
    else this.#fail(intent, { code: 'payment_intent_authentication_failure' })
  }

  /** Null where no customer has anything to do. @param name our reference, or the id of the PaymentIntent */
  visit(name: string, passes: boolean): WayBack | null {
    const intent = [...this.intents.values()].find(({ id, metadata }) => id === name || metadata.reference === name)
    if (intent?.status !== 'requires_action' || intent.returnUrl === null) return null
    this.authenticate(intent.id, passes)
    const parameters = { payment_intent: intent.id, redirect_status: passes ? 'succeeded' : 'failed' }
    const address = new URL(intent.returnUrl)
    for (const [parameter, value] of Object.entries(parameters)) address.searchParams.set(parameter, value)
    return { return_url: address.href, parameters }
  }

  openDispute(id: string, amount: number): void {
    const intent = this.#find(id)
    const evidence_details = { due_by: nowSeconds() + WEEK_SECONDS }
    const about = { id: this.#id('du'), object: 'dispute', amount, currency: intent.currency, payment_intent: id }
    intent.dispute = { ...about, status: 'needs_response', reason: 'fraudulent', evidence_details }
    this.#enter('dispute', null, intent, amount)
    this.#tell('dispute', 'charge.dispute.created', intent.dispute)
  }

  /** False where none is open. */
  endDispute(id: string, isWon: boolean): boolean {
    const intent = this.#find(id)
    const { dispute } = intent
    if (dispute === null) return false
    intent.dispute = null
    this.#enter(isWon ? 'dispute-won' : 'dispute-lost', null, intent, dispute.amount)
    this.#tell('dispute', 'charge.dispute.closed', { ...dispute, status: isWon ? 'won' : 'lost' })
    return true
  }

  #authenticated(intent: Intent): void {
    intent.secure = { ...SECURE, ...PASSED }
    if (intent.card.number !== WITHOUT_MONEY) this.#approve(intent)
    else this.#fail(intent, { code: 'card_declined', decline_code: 'insufficient_funds', network_decline_code: '51' })
  }

  #approve(intent: Intent): void {
    intent.status = 'requires_capture'
    this.#enter('authorization', intent.metadata.reference ?? null, intent, intent.authorized)
    this.#tell('authorize', 'payment_intent.amount_capturable_updated', present(intent))
  }

  #fail(intent: Intent, decline: Json): void {
    fail(intent, decline)
    this.#tell('authorize', 'payment_intent.payment_failed', present(intent))
  }

  #enter(kind: Kind, reference: string | null, { id, currency, metadata }: Intent, amount: number): void {
    const invoiceId = metadata.invoice_id ?? null
    const entry = { kind, reference, invoice_id: invoiceId, payment: id, amount_minor: amount }
    this.#outside.enter({ ...entry, currency: currency.toUpperCase() })
  }

  #tell(step: Step, type: string, object: Json): void {
    const head = { id: this.#id('evt'), object: 'event', api_version: API_VERSION, created: nowSeconds() }
    const event = { ...head, livemode: false, type, data: { object } }
    this.events.push(event)
    this.#outside.tell(step, event)
  }

  /** The customer has authenticated, and Stripe waits for a confirmation. */
  awaitConfirmation(id: string): void {
    this.#find(id).status = 'requires_confirmation'
  }

  #confirm(intent: Intent): Json {
    if (intent.status !== 'requires_confirmation') throw unexpectedState(intent)
    this.#authenticated(intent)
    return present(intent)
  }

  of(invoiceId: string): Intent[] {
    return [...this.intents.values()].filter(({ metadata }) => metadata.invoice_id === invoiceId)
  }

  #createCard(fields: Fields): Json {
    const number = fields['card[number]'] ?? ''
    if (!/^\d{12,19}$/.test(number)) throw refusal(402, 'card_error', 'incorrect_number')
    const card = { id: this.#id('pm'), number, hasCvc: fields['card[cvc]'] !== undefined }
    this.#cards.set(card.id, card)
    return { id: card.id, object: 'payment_method', type: 'card' }
  }

  #authorize(fields: Fields, { approves }: Circumstances): Json {
    const card = this.#cards.get(fields.payment_method ?? '')
    if (card === undefined) throw refusal(400, 'invalid_request_error', 'resource_missing')
    const amount = wholeNumber(fields.amount)
    if (!CURRENCIES.has((fields.currency ?? '').toUpperCase()))
      throw refusal(400, 'invalid_request_error', 'parameter_invalid_string')
    const intent: Intent = {
      id: this.#id('pi'),
      madeAt: Date.now(),
      amount,
      authorized: approves(amount),
      received: 0,
      currency: fields.currency ?? '',
      status: 'processing',
      cancellationReason: null,
      wasApproved: false,
      lastError: null,
      returnUrl: fields.return_url ?? null,
      isIncremental: fields['payment_method_options[card][request_incremental_authorization]'] === 'if_available',
      isMulticapture: fields['payment_method_options[card][request_multicapture]'] === 'if_available',
      card,
      secure: importedBy(fields),
      dispute: null,
      metadata: metadataOf(fields),
    }
    this.intents.set(intent.id, intent)
    const isAsked = ['any', 'challenge'].includes(
      fields['payment_method_options[card][request_three_d_secure]'] ?? 'automatic',
    )
    const needsAction = (NEEDS_ACTION.has(card.number) || isAsked) && intent.secure === null
    const decline =
      needsAction && (fields.error_on_requires_action === 'true' || fields.off_session === 'true')
        ? { code: 'authentication_required', decline_code: 'authentication_required' }
        : DECLINES[card.number]
    if (decline !== undefined) {
      this.#fail(intent, decline)
      throw new StripeRefusal(402, { ...intent.lastError, message: 'Declined.', payment_intent: present(intent) })
    }
    if (needsAction) intent.status = 'requires_action'
    else if (card.number === SLOW) this.#tell('authorize', 'payment_intent.processing', present(intent))
    else this.#approve(intent)
    return present(intent)
  }

  #capture(intent: Intent, fields: Fields, reference: string | null): Json {
    const amount = wholeNumber(fields.amount_to_capture)
    const isFinal = fields.final_capture !== 'false'
    if (intent.status !== 'requires_capture') throw unexpectedState(intent)
    if (!isFinal && !intent.isMulticapture) throw refusal(400, 'invalid_request_error', 'parameter_unknown')
    if (amount > capturable(intent) || (amount === 0 && intent.received === 0))
      throw refusal(400, 'invalid_request_error', 'amount_too_large')
    intent.received += amount
    const rest = capturable(intent)
    const isEnd = isFinal || rest === 0
    if (isEnd) intent.status = 'succeeded'
    Object.assign(intent.metadata, metadataOf(fields))
    // A final capture of nothing releases what earlier ones have left.
    if (amount > 0) this.#enter('capture', reference, intent, amount)
    else this.#enter('void', reference, intent, rest)
    const event = isEnd ? 'payment_intent.succeeded' : 'payment_intent.amount_capturable_updated'
    this.#tell(amount > 0 ? 'capture' : 'void', event, present(intent))
    if (amount > 0)
      this.#book('charge', amount, intent.currency, { ...presentCharge(intent), payment_intent: intent.id })
    return present(intent)
  }

  #cancel(intent: Intent, fields: Fields, reference: string | null): Json {
    const isOpen = ['requires_capture', 'requires_action', 'requires_confirmation'].includes(intent.status)
    if (!isOpen || intent.received > 0) throw unexpectedState(intent)
    intent.wasApproved = intent.status === 'requires_capture'
    intent.status = 'canceled'
    intent.cancellationReason = fields.cancellation_reason ?? null
    if (intent.wasApproved) this.#enter('void', reference, intent, intent.authorized)
    this.#tell('void', 'payment_intent.canceled', present(intent))
    return present(intent)
  }

  #increment(intent: Intent, fields: Fields, reference: string | null): Json {
    const amount = wholeNumber(fields.amount)
    if (!intent.isIncremental || intent.status !== 'requires_capture' || intent.received > 0 || amount <= intent.amount)
      throw refusal(400, 'invalid_request_error', 'payment_intent_unexpected_state')
    const added = amount - intent.amount
    intent.amount = amount
    intent.authorized += added
    Object.assign(intent.metadata, metadataOf(fields))
    this.#enter('increment', reference, intent, added)
    this.#tell('increment', 'payment_intent.amount_capturable_updated', present(intent))
    return present(intent)
  }

  #refund(fields: Fields, reference: string | null): Json {
    const intent = this.#find(fields.payment_intent)
    const amount = wholeNumber(fields.amount)
    const refunded = this.refunds
      .filter((refund) => refund.intent === intent && refund.status !== 'failed')
      .reduce((sum, refund) => sum + refund.amount, 0)
    if (intent.received === 0 || amount + refunded > intent.received)
      throw refusal(400, 'invalid_request_error', 'charge_already_refunded')
    const status = intent.card.number === REFUND_PENDING ? 'pending' : 'succeeded'
    const refund = { id: this.#id('re'), created: nowSeconds(), intent, amount, status, metadata: metadataOf(fields) }
    this.refunds.push(refund)
    if (status === 'succeeded') {
      this.#enter('refund', reference, intent, amount)
      this.#book('refund', -amount, intent.currency, presentRefund(refund))
    }
    this.#tell('refund', 'refund.created', presentRefund(refund))
    return presentRefund(refund)
  }

  #book(type: string, amount: number, currency: string, source: Json): void {
    const created = nowSeconds()
    const fee = {
      id: this.#id('txn'),
      type: 'stripe_fee',
      amount: -25,
      currency,
      created,
      exchange_rate: null,
      source: null,
    }
    this.booked.push({ ...fee, id: this.#id('txn'), type, amount, source }, fee)
  }

  /** In pages of two, so that a list of a test has several. */
  #listBooked(fields: Fields): Json {
    return { url: '/v1/balance_transactions', ...pageOf(this.booked, fields, 2) }
  }

  /** In pages of ten at most, for the same reason. */
  #listEvents(fields: Fields): Json {
    const types = Object.entries(fields).flatMap(([name, type]) => (/^types\[\d+\]$/.test(name) ? [type] : []))
    const found = this.events.filter(({ type }) => types.length === 0 || types.includes(String(type)))
    return { url: '/v1/events', ...pageOf(found, fields, 10) }
  }

  #search(query: string, { lagMs }: Circumstances): Json {
    const reference = /^metadata\['reference'\]:'(\w+)'$/.exec(query)?.[1]
    if (reference === undefined) throw refusal(400, 'invalid_request_error', 'parameter_invalid')
    const seenUntil = Date.now() - lagMs
    const found = [...this.intents.values()].filter(
      ({ metadata, madeAt }) => metadata.reference === reference && madeAt <= seenUntil,
    )
    return {
      object: 'search_result',
      has_more: false,
      next_page: null,
      url: '/v1/payment_intents/search',
      data: found.map(present),
    }
  }

  #listRefunds(intentId: string): Json {
    const found = this.refunds.filter(({ intent }) => intent.id === intentId)
    return { object: 'list', has_more: false, url: '/v1/refunds', data: found.map(presentRefund) }
  }

  #find(id: string | undefined): Intent {
    const intent = this.intents.get(id ?? '')
    if (intent === undefined) throw refusal(404, 'invalid_request_error', 'resource_missing')
    return intent
  }

  #id(prefix: string): string {
    this.#count += 1
    return `${prefix}_${this.#mark}${this.#count}`
  }
}

/** A page of what was made in the span that is asked for, the newest first. */
function pageOf(all: readonly Json[], fields: Fields, limit: number): Json {
  const { 'created[gte]': from = '0', 'created[lt]': until = 'Infinity', starting_after: after } = fields
  const isAsked = ({ created }: Json) => Number(created) >= Number(from) && Number(created) < Number(until)
  const found = all.filter(isAsked).toReversed()
  const first = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1
  return { object: 'list', has_more: first + limit < found.length, data: found.slice(first, first + limit) }
}

type Kind = Entry['kind']

const WEEK_SECONDS = 7 * 24 * 60 * 60

const nowSeconds = () => Math.floor(Date.now() / 1_000)

function partsOf(path: string) {
  const [, , resource = '', id, verb] = path.split('/')
  return { resource, id, verb }
}

/** A request by method and path, such as `POST payment_intents/id/capture`. */
export function routeOf(method: string, path: string): string {
  const { resource, id, verb } = partsOf(path)
  const named = id === undefined ? [] : [id === 'search' ? 'search' : 'id']
  return `${method} ${[resource, ...named, ...(verb === undefined ? [] : [verb])].join('/')}`
}

function capturable({ status, authorized, received }: Intent): number {
  return status === 'requires_capture' ? authorized - received : 0
}

function present(intent: Intent): Json {
  const { id, amount, received, currency, status, cancellationReason, lastError, returnUrl, metadata } = intent
  return {
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: capturable(intent),
    amount_received: received,
    created: Math.floor(intent.madeAt / 1_000),
    cancellation_reason: cancellationReason,
    capture_method: 'manual',
    currency,
    last_payment_error: lastError,
    latest_charge: hasCharge(intent) ? presentCharge(intent) : null,
    metadata: { ...metadata },
    next_action:
      status === 'requires_action'
        ? {
            type: 'redirect_to_url',
            redirect_to_url: { url: `https://hooks.stripe.com/3ds/${id}`, return_url: returnUrl },
          }
        : null,
    status,
  }
}

/** A failed authentication makes no charge; nor does a payment that was not decided. */
function hasCharge({ status, wasApproved, lastError }: Intent): boolean {
  if (status === 'canceled') return wasApproved
  if (lastError?.code === 'payment_intent_authentication_failure') return false
  return !['requires_action', 'requires_confirmation', 'processing'].includes(status)
}

function fail(intent: Intent, decline: Json): void {
  intent.status = 'requires_payment_method'
  intent.lastError = { type: 'card_error', ...decline, payment_method: presentCard(intent.card) }
}

/** An authentication that was made elsewhere. */
function importedBy(fields: Fields): Json | null {
  const option = (name: string) => fields[`payment_method_options[card][three_d_secure][${name}]`]
  if (option('cryptogram') === undefined) return null
  const isWhole = ['version', 'transaction_id'].every((name) => (option(name) ?? '') !== '')
  if (!isWhole) throw refusal(400, 'invalid_request_error', 'parameter_missing')
  return {
    ...PASSED,
    authentication_flow: null,
    exemption_indicator: null,
    electronic_commerce_indicator: option('electronic_commerce_indicator') ?? null,
    transaction_id: option('transaction_id'),
    version: option('version'),
  }
}

function presentCharge(intent: Intent): Json {
  const hasFailed = intent.lastError !== null
  return {
    id: intent.id.replace('pi_', 'ch_'),
    object: 'charge',
    status: hasFailed ? 'failed' : 'succeeded',
    payment_method_details: {
      type: 'card',
      card: {
        amount_authorized: hasFailed ? null : intent.authorized,
        authorization_code: hasFailed ? null : '123456',
        network_transaction_id: hasFailed ? null : '976910110049114',
        checks: presentCard(intent.card).card.checks,
        three_d_secure: intent.secure,
      },
    },
  }
}

function presentCard({ id, number, hasCvc }: Card) {
  const cvcCheck = hasCvc ? (number === '4000000000000127' ? 'fail' : 'pass') : null
  return {
    id,
    object: 'payment_method',
    type: 'card',
    card: {
      brand: number.startsWith('5') ? 'mastercard' : 'visa',
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: cvcCheck },
    },
  }
}

function presentRefund({ id, created, intent, amount, status, metadata }: Refund): Json {
  const { id: payment_intent, currency } = intent
  return { id, object: 'refund', created, amount, currency, payment_intent, status, metadata }
}

function metadataOf(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
      return key === undefined ? [] : [[key, value]]
    }),
  )
}

function wholeNumber(value: string | undefined): number {
  if (!/^\d+$/.test(value ?? '')) throw refusal(400, 'invalid_request_error', 'parameter_invalid_integer')
  return Number(value)
}

function unexpectedState(intent: Intent): StripeRefusal {
  return new StripeRefusal(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    payment_intent: present(intent),
  })
}

function refusal(status: number, type: string, code: string): StripeRefusal {
  return new StripeRefusal(status, { type, code, message: `Refused: ${code}.` })
}
