/** An API with a bank of a few lines, whose payments go as a test has written: for tests of the library for browsers. */

/** What the bank asks the customer for, step by step, and how it ends. */
export interface BankScript {
  steps?: readonly ('fingerprint' | 'redirect' | 'url' | 'full page' | 'challenge-mobile')[]
  /** `later`: pending, and approved when the invoice is read for the third time. */
  end?: 'approved' | 'declined' | 'pending' | 'later'
}

export interface FakeRequest {
  method: string
  /** With its query. */
  path: string
  headers: Readonly<Record<string, string | undefined>>
  body: Readonly<Record<string, unknown>>
}

export interface FakeReply {
  status: number
  body: Record<string, unknown>
}

interface Attempt {
  source: string
  script: BankScript
  step: number
  /** The steps that were taken before, of all attempts: no action is named twice. */
  action: string | null
  captures: boolean
  reads: number
}

interface Invoice {
  status: 'pending' | 'waiting' | 'open' | 'authorized' | 'completed' | 'failed'
  errorCode: string | null
  attempt: Attempt | null
}

export class FakeApi {
  readonly url: string
  readonly requests: FakeRequest[] = []
  /** How often money was reserved, by invoice. */
  readonly charges = new Map<string, number>()
  readonly scripts = new Map<string, BankScript>()
  readonly #invoices = new Map<string, Invoice>()
  readonly #answered = new Map<string, FakeReply>()
  #actions = 0
  #cards = 0

  constructor(url: string) {
    this.url = url
  }

  /** The sources of the calls that were made, those of continuations opened. */
  get sources(): unknown[] {
    const sent = this.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/invoices/'))
    return sent.map(({ body: { source } }) => opened(source))
  }

  handle(request: FakeRequest): FakeReply {
    this.requests.push(request)
    const { method, headers } = request
    const key = headers['Idempotency-Key'] ?? headers['idempotency-key']
    const kept = key === undefined ? undefined : this.#answered.get(key)
    if (kept !== undefined) return kept
    const reply = this.#answer(request)
    if (method === 'POST' && key !== undefined && [200, 410].includes(reply.status)) this.#answered.set(key, reply)
    return reply
  }

  /** The customer has done what the open action asked for. */
  returnToken(value: string): string {
    return continuation({ url: value })
  }

  invoice(id: string): Invoice {
    const invoice = this.#invoices.get(id) ?? { status: 'pending', errorCode: null, attempt: null }
    this.#invoices.set(id, invoice)
    return invoice
  }

  #answer({ method, path, body }: FakeRequest): FakeReply {
    const [, collection, id = '', verb] = /^\/(\w+)(?:\/(\w+))?(?:\/([\w-]+))?(?:\?|$)/.exec(path) ?? []
    if (method === 'POST' && collection === 'cards') return this.#createCard(body)
    if (method === 'GET' && collection === 'iins') return iinOf(id)
    if (method === 'GET' && collection === 'invoices') return this.#read(id)
    if (method === 'POST' && verb !== undefined) return this.#pay(id, verb, body)
    return { status: 404, body: { success: false, error_type: 'request.route-not-found', message: 'Nothing here.' } }
  }

  #createCard({ number, ...fields }: Readonly<Record<string, unknown>>): FakeReply {
    const digits = String(number)
    if (digits === '4111111111111111') {
      const message = 'number is not one of the test cards.'
      const invalid = [{ name: 'number', message }]
      return { status: 400, body: { ...refusal('sandbox.not-supported', message), invalid_fields: invalid } }
    }
    this.#cards += 1
    const id = `card_${this.#cards}`
    const script = SCRIPTS[digits]
    if (script !== undefined) this.scripts.set(id, script)
    const { scheme, co_scheme } = iinOf(digits.slice(0, 8)).body.card_information as Record<string, string | null>
    const { exp_month, exp_year, preferred_scheme = null } = fields
    const facts = { scheme, co_scheme, preferred_scheme, exp_month, exp_year, last_4_digits: digits.slice(-4) }
    return { status: 200, body: { success: true, card: { id, iin: digits.slice(0, 8), type: 'credit', ...facts } } }
  }

  #read(id: string): FakeReply {
    const invoice = this.invoice(id)
    const { attempt } = invoice
    if (invoice.status === 'open' && attempt?.script.end === 'later') {
      attempt.reads += 1
      if (attempt.reads === 3) this.#approve(id, invoice, attempt)
    }
    const isOpen = invoice.status === 'waiting' || invoice.status === 'open'
    const transaction = { id: `tr_${id}`, ...transactionOf(invoice) }
    const shown = { id, name: 'Order 1', amount: '29.00', currency: 'EUR', transaction_id: `tr_${id}`, transaction }
    return {
      status: 200,
      body: { success: true, invoice: { ...shown, status: isOpen ? 'processing' : invoice.status } },
    }
  }

  #pay(id: string, verb: string, { source, authorize_only: only }: Readonly<Record<string, unknown>>): FakeReply {
    const invoice = this.invoice(id)
    if (invoice.status === 'authorized' || invoice.status === 'completed') return this.#state(id, invoice)
    if (source === undefined) {
      return invoice.status === 'pending'
        ? { status: 400, body: refusal('request.validation.missing-source', 'The payment source is missing.') }
        : this.#state(id, invoice)
    }
    if (String(source).startsWith('gway_req_')) return this.#continue(id, invoice, opened(source))
    const { attempt } = invoice
    if (attempt !== null && invoice.status === 'waiting') {
      if (attempt.source !== source) return declined('card.pending-3ds', 'An authentication is under way.', invoice)
      return stepOf(attempt).startsWith('u') ? this.#next(id, invoice, attempt) : this.#state(id, invoice)
    }
    if (invoice.status === 'open') return this.#state(id, invoice)
    invoice.attempt = {
      source: String(source),
      script: this.scripts.get(String(source)) ?? {},
      step: -1,
      action: null,
      captures: verb === 'capture' ? only !== true : only === false,
      reads: 0,
    }
    return this.#next(id, invoice, invoice.attempt)
  }

  #continue(id: string, invoice: Invoice, answer: Record<string, unknown>): FakeReply {
    const { attempt } = invoice
    if (attempt === null || invoice.status !== 'waiting' || answer.url !== attempt.action)
      return { status: 400, body: refusal('request.source.invalid', 'The source is not valid.') }
    if (answer.body === 'canceled=true') {
      Object.assign(invoice, { status: 'failed', errorCode: 'customer.canceled' })
      return declined('customer.canceled', 'The customer has canceled.', invoice)
    }
    return this.#next(id, invoice, attempt)
  }

  #next(id: string, invoice: Invoice, attempt: Attempt): FakeReply {
    attempt.step += 1
    const step = attempt.script.steps?.[attempt.step]
    if (step !== undefined) {
      this.#actions += 1
      attempt.action = `${this.url}/three-d-s/${id}/act_${this.#actions}`
      invoice.status = 'waiting'
      return this.#state(id, invoice)
    }
    const { end = 'approved' } = attempt.script
    if (end === 'approved') {
      this.#approve(id, invoice, attempt)
    } else if (end === 'declined') {
      Object.assign(invoice, { status: 'failed', errorCode: 'card.declined' })
      return declined('card.declined', 'The card was declined.', invoice)
    } else {
      invoice.status = 'open'
    }
    return this.#state(id, invoice)
  }

  #approve(id: string, invoice: Invoice, { captures }: Attempt): void {
    invoice.status = captures ? 'completed' : 'authorized'
    this.charges.set(id, (this.charges.get(id) ?? 0) + 1)
  }

  #state(id: string, invoice: Invoice): FakeReply {
    const { status, attempt } = invoice
    if (status === 'failed') return declined(invoice.errorCode ?? 'card.declined', 'The card was declined.', invoice)
    const isPaid = status === 'authorized' || status === 'completed'
    const step = status === 'waiting' && attempt !== null ? stepOf(attempt) : null
    const type = step === 'full page' ? 'url' : step
    const action = { type, value: attempt?.action, metadata: step === 'full page' ? { no_iframe: 'true' } : null }
    return {
      status: 200,
      body: {
        success: true,
        outcome: isPaid ? 'success' : 'pending',
        customer_token_id: null,
        transaction: { id: `tr_${id}`, ...transactionOf(invoice) },
        ...(step === null ? {} : { customer_action: action }),
      },
    }
  }
}

/** The cards of the fake bank, by number. */
const SCRIPTS: Readonly<Record<string, BankScript>> = {
  '4242424242424242': {},
  '4000000000002180': { end: 'declined' },
  '4000000000003063': { steps: ['fingerprint'] },
  '4000000000000101': { steps: ['fingerprint', 'redirect'] },
  '4000000000003238': { steps: ['url'] },
  '4000000000003246': { steps: ['full page'] },
}

const stepOf = ({ script, step }: Attempt): string => script.steps?.[step] ?? 'end'

function transactionOf({ status, errorCode }: Invoice) {
  return { status: status === 'open' ? 'pending' : status, error_code: status === 'failed' ? errorCode : null }
}

function refusal(code: string, message: string) {
  return { success: false, error_type: code, message, request_id: 'req_1' }
}

function declined(code: string, message: string, invoice: Invoice): FakeReply {
  return { status: 410, body: { ...refusal(code, message), outcome: 'failed', transaction: transactionOf(invoice) } }
}

function iinOf(digits: string): FakeReply {
  const isCoBadged = digits.startsWith('436000')
  const scheme = digits.startsWith('4') ? 'visa' : digits.startsWith('3') ? 'american express' : 'mastercard'
  const information = { iin: digits, scheme, co_scheme: isCoBadged ? 'carte bancaire' : null }
  return { status: 200, body: { success: true, card_information: information } }
}

const continuation = (content: object) => `gway_req_${Buffer.from(JSON.stringify(content)).toString('base64url')}`

/** What is in a continuation; any other source as it is. */
function opened(source: unknown): Record<string, unknown> {
  const text = String(source)
  if (!text.startsWith('gway_req_')) return { source }
  return JSON.parse(Buffer.from(text.slice('gway_req_'.length), 'base64').toString()) as Record<string, unknown>
}
