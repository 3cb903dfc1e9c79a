import { beforeEach, describe, expect, test } from '@jest/globals'
import type { CustomerAction } from '../src/payment/answer.ts'
import { createApiClient, Offline, type Send } from '../src/payment/api.ts'
import { type ActionEnd, type Ending, type FlowDeps, type Payment, pay, resume } from '../src/payment/flow.ts'
import type { Memory, Remembered } from '../src/payment/memory.ts'
import { readOptions } from '../src/payment/options.ts'
import { type BankScript, FakeApi, type FakeReply, type FakeRequest } from './fake-api.ts'

const URL = 'https://api.example'
const INVOICE = 'iv_1'

/** What goes wrong with the nth request, from 1 on: it does not arrive, or its answer does not. */
type Fault = 'request' | 'answer' | 'offline' | FakeReply
type Faults = (n: number, request: FakeRequest) => Fault | null

let api: FakeApi
let time: number
let faults: Faults
let shown: CustomerAction[]
let customer: (action: CustomerAction, n: number) => ActionEnd
let notes: Map<string, Remembered>

const comesBack = ({ value }: CustomerAction): ActionEnd => ({ kind: 'returned', token: api.returnToken(value) })

beforeEach(() => {
  api = new FakeApi(URL)
  time = 0
  faults = () => null
  shown = []
  customer = comesBack
  notes = new Map()
})

let sent = 0
const send: Send = async ({ method, path, body = {}, headers = {} }) => {
  sent += 1
  const request: FakeRequest = { method, path, headers, body: { ...body } }
  const fault = faults(sent, request)
  time += 50
  if (fault === 'offline') throw new Offline()
  if (fault === 'request') throw new TypeError('Failed to fetch')
  if (fault !== null && fault !== 'answer') return { ...fault, retryAfterMs: null }
  const reply = api.handle(request)
  if (fault === 'answer') throw new TypeError('Failed to fetch')
  return { ...reply, retryAfterMs: null }
}

function deps(): FlowDeps {
  sent = 0
  const clock = {
    now: () => time,
    wait: async (milliseconds: number) => {
      time += milliseconds
    },
  }
  const memory: Memory = {
    remember: (id, payment) => notes.set(id, payment),
    recall: (id) => notes.get(id) ?? null,
    forget: (id) => notes.delete(id),
  }
  return {
    api: createApiClient(send, clock),
    clock,
    memory,
    act: async (action) => {
      shown.push(action)
      return customer(action, shown.length)
    },
  }
}

const payment = (source: string, more: Partial<Payment> = {}) => ({
  invoiceId: INVOICE,
  card: null,
  ...readOptions(null),
  ...more,
  source,
})

/** Pays with a card whose bank goes as written. */
function payBy(script: BankScript, more: Partial<Payment> = {}): Promise<Ending> {
  api.scripts.set('card_1', script)
  return pay(payment('card_1', more), deps())
}

const paid = (status = 'completed') => ({ kind: 'paid', result: { invoice_id: INVOICE, status } })
const failed = (code: string) => ({ kind: 'failed', failure: { code, invoiceId: INVOICE } })
const types = () => shown.map(({ type }) => type)

describe('a payment', () => {
  test.each<[string, BankScript, object, string[], number]>([
    ['that is declined', { end: 'declined' }, failed('card.declined'), [], 0],
    [
      'that is declined after its authentication',
      { steps: ['fingerprint', 'redirect'], end: 'declined' },
      failed('card.declined'),
      ['fingerprint', 'redirect'],
      0,
    ],
    [
      'whose actions never end',
      { steps: Array.from({ length: 20 }, () => 'redirect' as const) },
      failed('card.failed-3ds-technical'),
      ['redirect', 'redirect', 'redirect', 'redirect', 'redirect', 'redirect'],
      0,
    ],
    ['whose outcome is never known', { end: 'pending' }, failed('payment.pending'), [], 0],
    ['whose outcome comes late', { end: 'later' }, paid(), [], 1],
    ['without 3-D Secure', {}, paid(), [], 1],
    ['with a fingerprint', { steps: ['fingerprint'] }, paid(), ['fingerprint'], 1],
    [
      'with a fingerprint and a challenge',
      { steps: ['fingerprint', 'redirect'] },
      paid(),
      ['fingerprint', 'redirect'],
      1,
    ],
    ['with version 1', { steps: ['url'] }, paid(), ['url'], 1],
  ])('%s', async (_what, script, ending, actions, charges) => {
    expect(await payBy(script)).toMatchObject(ending)
    expect(types()).toEqual(actions)
    expect(api.charges.get(INVOICE) ?? 0).toBe(charges)
    // Nothing is left that would disturb the next try.
    expect(notes.size).toBe(0)
  })

  test('captures by default, and only authorizes where it is asked to', async () => {
    expect(await payBy({}, readOptions({ authorize_only: true }))).toMatchObject(paid('authorized'))
    expect(api.requests.map(({ path, body }) => [path, body.authorize_only])).toEqual([
      [`/invoices/${INVOICE}/capture`, true],
    ])
    api = new FakeApi(URL)
    await payBy({})
    expect(api.requests[0]?.body).toEqual({ authorize_only: false, source: 'card_1', enable_three_d_s_2: true })
  })

  test('sends every option with every step, and the client secret as a header', async () => {
    const options = { capture_amount: '5.00', preferred_scheme: 'visa', save_source: true, client_secret: 'ivs_1' }
    await payBy({ steps: ['redirect'] }, readOptions(options))
    expect(api.requests).toHaveLength(2)
    for (const { body, headers } of api.requests) {
      expect(body).toMatchObject({ capture_amount: '5.00', preferred_scheme: 'visa', save_source: true })
      expect(body).not.toHaveProperty('client_secret')
      expect(headers['X-Service-Client-Secret']).toBe('ivs_1')
    }
    expect(new Set(api.requests.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(2)
  })

  test('goes on after a fingerprint that timed out, and says so', async () => {
    customer = () => ({ kind: 'fingerprint timed out' })
    expect(await payBy({ steps: ['fingerprint'] })).toMatchObject(paid())
    expect(api.sources[1]).toEqual({
      url: shown[0]?.value,
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'threeDSMethodData={"threeDS2FingerprintTimeout":true}',
    })
  })

  test('goes on with the first source where the bank gives no token', async () => {
    customer = () => ({ kind: 'returned', token: '' })
    expect(await payBy({ steps: ['url'] })).toMatchObject(paid())
    expect(api.sources).toEqual([{ source: 'card_1' }, { source: 'card_1' }])
  })

  test('that the customer cancels tells the API, and another card can be tried at once', async () => {
    customer = () => ({ kind: 'canceled' })
    expect(await payBy({ steps: ['redirect'] })).toMatchObject(failed('customer.canceled'))
    expect(api.sources[1]).toEqual({ url: shown[0]?.value, body: 'canceled=true' })
    expect(await pay(payment('card_2'), deps())).toMatchObject(paid())
    expect(api.charges.get(INVOICE)).toBe(1)
  })

  test.each([
    ['paid', {}, paid()],
    ['declined', { end: 'declined' as const }, failed('customer.canceled')],
  ])(
    'that has gone on without the window of the bank is %s, however the cancelation is refused',
    async (_what, script, ending) => {
      customer = ({ value }) => {
        const source = api.returnToken(value)
        api.handle({ method: 'POST', path: `/invoices/${INVOICE}/capture`, headers: {}, body: { source } })
        return { kind: 'canceled' }
      }
      const refusal = { success: false, error_type: 'request.source.invalid', message: 'The source is not valid.' }
      faults = (n, { method }) => (n > 1 && method === 'POST' ? { status: 400, body: refusal } : null)
      expect(await payBy({ steps: ['redirect'], ...script })).toMatchObject(ending)
    },
  )

  test('whose cancelation is refused, and whose invoice cannot be read any more, has no known outcome', async () => {
    customer = () => ({ kind: 'canceled' })
    const refusal = { success: false, error_type: 'request.source.invalid', message: 'The source is not valid.' }
    faults = (n, { method }) => (n === 1 ? null : method === 'POST' ? { status: 400, body: refusal } : 'request')
    expect(await payBy({ steps: ['redirect'] })).toMatchObject(failed('payment.pending'))
  })

  test('whose challenge was left open too long has expired', async () => {
    customer = () => ({ kind: 'expired' })
    expect(await payBy({ steps: ['redirect'] })).toMatchObject(failed('card.expired-3ds'))
    expect(api.invoice(INVOICE).status).toBe('failed')
  })

  test.each([
    ['another invoice', 404, 'resource.invoice.not-found'],
    ['a foreign project', 401, 'request.authentication.invalid'],
    ['too many failures', 429, 'request.rate.too-many-failures'],
  ])('that is refused for %s is not repeated', async (_why, status, code) => {
    const methods: string[] = []
    faults = (_n, { method }) => {
      methods.push(method)
      return { status, body: { success: false, error_type: code, message: 'No.', request_id: 'req_9' } }
    }
    expect(await payBy({})).toMatchObject({
      kind: 'failed',
      failure: { code, detail: 'No.', requestId: 'req_9', invoiceId: INVOICE },
    })
    expect(methods).toEqual(['POST', 'GET'])
  })

  const refused = {
    status: 401,
    body: { success: false, error_type: 'request.authentication.invalid', message: 'No.' },
  }
  const refusedOnce: Faults = (n) => (n === 1 ? refused : null)

  test.each<[string, BankScript, object]>([
    ['has paid', {}, paid()],
    ['is paying', { end: 'later' }, paid()],
    ['has tried in vain', { end: 'declined' }, failed('request.authentication.invalid')],
    ['lets authenticate', { steps: ['redirect'] }, failed('request.authentication.invalid')],
  ])('that is refused while another tab %s tells how the invoice stands', async (_what, script, ending) => {
    api.scripts.set('card_1', script)
    const call = { source: 'card_1' }
    api.handle({ method: 'POST', path: `/invoices/${INVOICE}/capture`, headers: {}, body: call })
    const charges = api.charges.get(INVOICE)
    faults = refusedOnce
    expect(await pay(payment('card_2'), deps())).toMatchObject(ending)
    expect(api.sources).toEqual([call])
    expect(api.charges.get(INVOICE) ?? 1).toBe(charges ?? 1)
  })

  test('that is refused, and whose invoice cannot be read, has no known outcome', async () => {
    faults = (_n, { method }) => (method === 'POST' ? refused : 'request')
    expect(await payBy({})).toMatchObject(failed('payment.pending'))
  })

  test('that was given back is no success', async () => {
    faults = () => ({ status: 200, body: { success: true, outcome: 'success', transaction: { status: 'voided' } } })
    expect(await payBy({})).toMatchObject(failed('request.validation.invalid-state'))
  })
})

describe('a lost connection', () => {
  const isPost = ({ method }: FakeRequest) => method === 'POST'

  test.each<[string, BankScript, Faults, object, number]>([
    ['the first request does not arrive', {}, (n) => (n === 1 ? 'request' : null), paid(), 1],
    ['the first answer does not arrive', {}, (n) => (n === 1 ? 'answer' : null), paid(), 1],
    [
      'the answer after the challenge does not arrive, three times',
      { steps: ['redirect'] },
      (n) => (n >= 2 && n <= 4 ? 'answer' : null),
      paid(),
      1,
    ],
    ['a busy answer', {}, (n) => (n === 1 ? { status: 409, body: { success: false } } : null), paid(), 1],
    ['a broken answer', {}, (n) => (n === 1 ? { status: 502, body: {} } : null), paid(), 1],
    [
      'no answer to the payment comes, and the invoice tells that it was paid',
      {},
      (_n, request) => (isPost(request) ? 'answer' : null),
      paid(),
      1,
    ],
    [
      'no answer to the payment comes, and the invoice tells that it was declined',
      { end: 'declined' },
      (_n, request) => (isPost(request) ? 'answer' : null),
      failed('card.declined'),
      0,
    ],
    [
      'no request arrives, and the invoice tells that nothing was tried',
      {},
      (_n, request) => (isPost(request) ? 'request' : null),
      failed('network'),
      0,
    ],
    ['nothing comes back any more', {}, () => 'answer', failed('payment.pending'), 1],
    ['nothing arrives, which nobody can know', {}, () => 'request', failed('payment.pending'), 0],
    ['the browser was offline all the time', {}, () => 'offline', failed('network'), 0],
    [
      'the browser goes offline after the challenge',
      { steps: ['redirect'] },
      (n) => (n > 1 ? 'offline' : null),
      failed('payment.pending'),
      0,
    ],
    [
      'the service does not begin anything',
      {},
      (_n, request) =>
        isPost(request)
          ? { status: 503, body: { success: false, error_type: 'request.not-started', message: 'Later.' } }
          : null,
      failed('request.not-started'),
      0,
    ],
  ])('where %s', async (_what, script, wrong, ending, charges) => {
    faults = wrong
    expect(await payBy(script)).toMatchObject(ending)
    expect(api.charges.get(INVOICE) ?? 0).toBe(charges)
    // Nobody looks at a spinner without an end.
    expect(time).toBeLessThan(100_000)
  })

  test.each([
    ['an earlier card', { end: 'declined' } as const, true],
    ['nothing', null, true],
    ['an earlier card', { end: 'declined' } as const, false],
  ])(
    'after which the invoice tells of %s (%j) makes the very request once more, be it heard: %s',
    async (_, before, isHeard) => {
      if (before !== null) await payBy(before)
      let looks = 0
      faults = (_n, request) => {
        if (!isPost(request)) looks += 1
        return !isPost(request) || (isHeard && looks > 0) ? null : 'request'
      }
      const ending = await pay(payment('card_2'), deps())
      expect(ending).toMatchObject(isHeard ? paid() : failed('card.declined'))
      expect([looks, api.charges.get(INVOICE) ?? 0]).toEqual(isHeard ? [1, 1] : [2, 0])
    },
  )

  test('repeats a request under its own key, with growing pauses, for 30 s', async () => {
    faults = (n) => (n < 5 ? 'answer' : null)
    await payBy({})
    const keys = api.requests.map(({ headers }) => headers['Idempotency-Key'])
    expect(keys).toHaveLength(5)
    expect(new Set(keys).size).toBe(1)
    expect(time).toBeGreaterThan(500 + 1_000 + 2_000 + 4_000)
    faults = () => 'request'
    time = 0
    await pay(payment('card_2', { invoiceId: 'iv_2' }), deps())
    expect(time).toBeGreaterThan(30_000)
    expect(time).toBeLessThan(65_000)
  })

  test('in the middle of an authentication goes on with the action that is open', async () => {
    // The answer to the fingerprint is lost for good; the bank has asked for a challenge meanwhile.
    const isContinuation = ({ body }: FakeRequest) => String(body.source).startsWith('gway_req_')
    faults = (_n, request) => (isContinuation(request) && shown.length === 1 ? 'answer' : null)
    expect(await payBy({ steps: ['fingerprint', 'redirect'] })).toMatchObject(paid())
    expect(types()).toEqual(['fingerprint', 'redirect'])
  })
})

describe('a page that is loaded again', () => {
  const visa = { card: 'visa 4242 12 2030' }
  const leaves = () => new Promise<ActionEnd>(() => {})

  /** Begins a payment whose page is left in the middle of its first action. */
  async function begin(script: BankScript, more: Partial<Payment> = {}): Promise<void> {
    api.scripts.set('card_1', script)
    const begun = deps()
    const isShown = new Promise<void>((resolve) => {
      void pay(payment('card_1', more), {
        ...begun,
        act: (action) => {
          shown.push(action)
          resolve()
          return leaves()
        },
      })
    })
    await isShown
  }

  test('goes on with the open action where the same card is entered again', async () => {
    await begin({ steps: ['redirect'] }, visa)
    expect(await pay(payment('card_2', visa), deps())).toMatchObject(paid())
    expect(shown.map(({ value }) => value)).toEqual([shown[0]?.value, shown[0]?.value])
    expect(api.charges.get(INVOICE)).toBe(1)
  })

  test('ends the first authentication where another card is entered', async () => {
    await begin({ steps: ['redirect'] }, visa)
    expect(await pay(payment('card_2', { card: 'mastercard 4444 12 2030' }), deps())).toMatchObject(paid())
    expect(types()).toEqual(['redirect'])
    expect(api.sources).toContainEqual({ url: shown[0]?.value, body: 'canceled=true' })
    expect(api.charges.get(INVOICE)).toBe(1)
  })

  const mastercard = { card: 'mastercard 4444 12 2030' }
  /** The customer has opened another tab, which has a memory of its own. */
  const openTab = () => {
    notes = new Map()
  }

  test.each<[string, Partial<Payment>]>([
    ['another card', mastercard],
    ['a card of which this tab knows nothing', visa],
    ['a stored card', {}],
  ])('in another tab ends the first authentication where %s is entered', async (_what, entered) => {
    await begin({ steps: ['redirect'] }, visa)
    openTab()
    expect(await pay(payment('card_2', entered), deps())).toMatchObject(paid())
    expect(types()).toEqual(['redirect'])
    expect(api.sources).toContainEqual({ url: shown[0]?.value, body: 'canceled=true' })
    expect(api.invoice(INVOICE).attempt?.source).toBe('card_2')
    expect(api.charges.get(INVOICE)).toBe(1)
  })

  test('does not go on with the step of another tab that has replaced its own', async () => {
    await begin({ steps: ['redirect'] }, visa)
    const first = notes
    openTab()
    api.scripts.set('card_2', { steps: ['redirect'] })
    void pay(payment('card_2', mastercard), { ...deps(), act: leaves })
    await new Promise(setImmediate)
    expect(api.invoice(INVOICE).attempt?.source).toBe('card_2')
    notes = first
    expect(await pay(payment('card_3', visa), deps())).toMatchObject(paid())
    expect(types()).toEqual(['redirect'])
    expect(api.invoice(INVOICE).attempt?.source).toBe('card_3')
  })

  const waits = { status: 200, body: { success: true, outcome: 'pending', transaction: { status: 'pending' } } }

  test.each<[string, Fault, number]>([
    ['while the outcome of the first card is open', waits, 1],
    ['by a call that never arrives', 'request', 8],
  ])('is not given the step of the first card where another one is entered %s', async (_when, fault, times) => {
    await begin({ steps: ['redirect'] }, visa)
    openTab()
    let failures = 0
    faults = (_n, { body }) => {
      if (body.source !== 'card_2' || failures === times) return null
      failures += 1
      return fault
    }
    const before = time
    expect(await pay(payment('card_2', mastercard), deps())).toMatchObject(paid())
    expect(types()).toEqual(['redirect'])
    expect(api.invoice(INVOICE).attempt?.source).toBe('card_2')
    expect(time - before).toBeLessThan(100_000)
  })

  test('finds out what became of the payment, without the card', async () => {
    const nothing = { ...payment(''), source: null, fields: null }
    expect(await resume(nothing, null, deps())).toBeNull()
    await begin({ steps: ['redirect'] })
    expect(await resume(nothing, null, deps())).toMatchObject(paid())
    expect(await resume(nothing, null, deps())).toMatchObject(paid())
    expect(types()).toEqual(['redirect', 'redirect'])
    expect(api.charges.get(INVOICE)).toBe(1)
  })

  test.each<[string, Payment['fields'], string]>([
    ['under the options of then', { authorize_only: true }, 'capture'],
    ['without a word about the capture where the options are not known', null, 'three-d-s'],
  ])("goes on with the bank's token, %s", async (_what, fields, verb) => {
    await begin({ steps: ['full page'] }, readOptions({ authorize_only: true }))
    const token = api.returnToken(shown[0]?.value ?? '')
    expect(await resume({ ...payment(''), source: null, fields }, token, deps())).toMatchObject(paid('authorized'))
    expect(api.requests.at(-1)?.path).toBe(`/invoices/${INVOICE}/${verb}`)
    expect(api.requests.at(-1)?.body.authorize_only).toBe(fields === null ? undefined : true)
  })

  test('is not misled by a token that was used before', async () => {
    await begin({ steps: ['redirect', 'redirect'] })
    const used = api.returnToken(shown[0]?.value ?? '')
    api.handle({ method: 'POST', path: `/invoices/${INVOICE}/capture`, headers: {}, body: { source: used } })
    expect(await resume(payment('card_1'), used, deps())).toMatchObject(paid())
    expect(types()).toEqual(['redirect', 'redirect'])
  })
})

describe('options', () => {
  test('are the eleven of the API, and a mistyped one is named', () => {
    const all = {
      authorize_only: true,
      auto_capture_at: '2030-01-01T00:00:00Z',
      capture_amount: '1.00',
      preferred_scheme: 'visa',
      incremental: true,
      invoice_detail_ids: ['iv_det_1'],
      override_mac_blocking: true,
      initial_scheme_transaction_id: 'x',
      allow_fallback_to_sale: true,
      save_source: true,
      client_secret: 'ivs_1',
    }
    const { client_secret, ...fields } = all
    expect(readOptions(all)).toEqual({ fields, clientSecret: client_secret })
    expect(() => readOptions({ ...all, capture_ammount: '1.00' } as object)).toThrow('capture_ammount')
    expect(() => readOptions({ source: 'card_other' } as object)).toThrow('source')
  })
})
