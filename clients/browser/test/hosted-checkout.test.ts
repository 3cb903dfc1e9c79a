import { describe, expect, test } from '@jest/globals'
import { HoldfastError } from '../src/errors.ts'
import { Checkout, type CheckoutDeps, nextAfter } from '../src/hosted/checkout.ts'
import { type PagePayment, readPagePayment } from '../src/hosted/payment.ts'
import type { Card, Form, PaymentResult } from '../src/published.ts'

const failure = (code: string, fields = {}) => new HoldfastError(`text of ${code}`, { code, detail: '', fields })
const RESULT: PaymentResult = {
  invoice_id: 'iv_1',
  status: 'completed',
  transaction_id: 'tr_1',
  customer_token_id: null,
}

type Step = PaymentResult | null | Error

/** More lines than any test here has. */
const LOG_MAX = 200

/** A page whose payments and looks end as the script says, in this order. */
function makePage(view: PagePayment['view'], script: { pay?: Step[]; resume?: Step[]; mount?: (Error | null)[] }) {
  const log: string[] = []
  const take = async (what: 'pay' | 'resume'): Promise<PaymentResult | null> => {
    const steps = script[what] ?? []
    if (steps.length === 0) throw new Error(`No test said how ${what} ends.`)
    const step = steps.shift() ?? null
    if (step instanceof Error) throw step
    return step
  }
  const form = {
    on: () => () => {},
    clear: (field = 'everything') => log.push(`clear ${field}`),
    focus: (field: string) => log.push(`focus ${field}`),
  }
  const deps: CheckoutDeps = {
    client: {
      tokenize: async () => {
        log.push('tokenize')
        return { id: 'card_1' } as Card
      },
      pay: async (invoice, card, options) => {
        log.push(`pay ${invoice} ${typeof card === 'string' ? card : card.id} ${JSON.stringify(options)}`)
        return (await take('pay')) as PaymentResult
      },
      resume: async (invoice) => {
        log.push(`resume ${invoice}`)
        return take('resume')
      },
    },
    views: {
      show: (shown) => log.push(`show ${shown}`),
      problem: (message) => log.push(`problem ${message}`),
      working: (isWorking) => log.push(isWorking ? 'working' : 'idle'),
      leaveSoon: () => log.push('leave soon'),
      mount: async () => {
        const error = script.mount?.shift() ?? null
        if (error !== null) throw error
        log.push('mount')
        return form as unknown as Form
      },
    },
    wait: async (milliseconds) => {
      // A defect that has the page wait for ever ends its test, and not the process.
      if (log.length > LOG_MAX) throw new Error('The page waits without an end.')
      log.push(`wait ${milliseconds}`)
    },
  }
  const payment: PagePayment = {
    projectId: 'test-proj_1',
    invoiceId: 'iv_1',
    language: 'en',
    view,
    authorizeOnly: false,
    token: null,
  }
  return { log, checkout: new Checkout(payment, deps) }
}

const PAY = 'pay iv_1 card_1 {"authorize_only":false}'

describe('after an error', () => {
  test.each([
    ['payment.pending', { kind: 'processing' }],
    ['network', { kind: 'lost' }],
    ['request.validation.invalid-state', { kind: 'closed' }],
    ['card.do-not-honor', { kind: 'form', isOtherCardNeeded: true }],
    ['card.failed-3ds', { kind: 'form', isOtherCardNeeded: true }],
    ['gateway.declined', { kind: 'form', isOtherCardNeeded: true }],
    ['payment.declined', { kind: 'form', isOtherCardNeeded: true }],
    ['customer.canceled', { kind: 'form', isOtherCardNeeded: false }],
    ['customer.cancelled', { kind: 'form', isOtherCardNeeded: false }],
    ['request.rate.exceeded', { kind: 'form', isOtherCardNeeded: false }],
    ['server.unavailable', { kind: 'form', isOtherCardNeeded: false }],
  ])('%s the page goes on with %j', (code, next) => {
    expect(nextAfter(failure(code))).toMatchObject(next)
  })

  test('of fields the form has said everything', () => {
    const next = { kind: 'form', message: null, isOtherCardNeeded: false }
    expect(nextAfter(failure('card.invalid-number', { number: 'wrong' }))).toEqual(next)
  })

  test('that is a defect the page looks what has become of the payment, and offers nothing', () => {
    expect(nextAfter(new TypeError('x is undefined'))).toEqual({ kind: 'processing' })
  })
})

describe('the page', () => {
  test('shows the form, pays once however often it is sent, and leaves', async () => {
    const { log, checkout } = makePage('form', { pay: [RESULT] })
    await checkout.start()
    await Promise.all([checkout.submit(), checkout.submit()])
    const paying = ['problem null', 'working', 'tokenize', PAY, 'show paid', 'leave soon', 'idle']
    expect(log).toEqual(['show form', 'mount', ...paying])
  })

  test('goes on with what is open before it shows a form', async () => {
    const { log, checkout } = makePage('busy', { resume: [RESULT] })
    await checkout.start()
    expect(log).toEqual(['show busy', 'resume iv_1', 'show paid', 'leave soon'])
  })

  test('asks for the code anew after a decline, and keeps what was typed', async () => {
    const { log, checkout } = makePage('form', { pay: [failure('card.declined'), RESULT] })
    await checkout.start()
    await checkout.submit()
    expect(log.slice(-4)).toEqual(['show form', 'problem text of card.declined', 'clear cvc', 'focus number'])
    await checkout.submit()
    expect(log.at(-2)).toBe('leave soon')
  })

  test('tries the same card again after a lost connection', async () => {
    const { log, checkout } = makePage('form', { pay: [failure('network'), RESULT] })
    await checkout.start()
    await checkout.submit()
    expect(log.at(-1)).toBe('show lost')
    await checkout.retry()
    expect(log.filter((line) => line === 'tokenize')).toHaveLength(1)
    expect(log.slice(-6)).toEqual(['problem null', 'working', PAY, 'show paid', 'leave soon', 'idle'])
  })

  test('looks for an outcome that nobody knows until somebody does', async () => {
    const pending = failure('payment.pending')
    const { log, checkout } = makePage('form', { pay: [pending], resume: [pending, failure('network'), RESULT] })
    await checkout.start()
    await checkout.submit()
    const looks = ['wait 5000', 'resume iv_1', 'wait 10000', 'resume iv_1', 'wait 20000', 'resume iv_1']
    expect(log.slice(5)).toEqual([PAY, 'idle', 'show processing', ...looks, 'show paid', 'leave soon'])
  })

  test('offers another try once it is known that nothing has arrived', async () => {
    const { log, checkout } = makePage('form', { pay: [failure('payment.pending'), RESULT], resume: [null] })
    await checkout.start()
    await checkout.submit()
    expect(log.at(-1)).toBe('show lost')
    await checkout.retry()
    expect(log.filter((line) => line === PAY)).toHaveLength(2)
  })

  test('offers the form anew where it did not load', async () => {
    const { log, checkout } = makePage('form', { mount: [failure('network'), null] })
    await checkout.start()
    expect(log).toEqual(['show form', 'show lost'])
    await checkout.retry()
    expect(log.slice(-2)).toEqual(['show form', 'mount'])
  })
})

describe('what the server says of the payment', () => {
  const data = {
    project_id: 'proj_1',
    invoice_id: 'iv_1',
    language: 'de',
    view: 'form',
    authorize_only: false,
    token: null,
  }

  test('is read', () => {
    const read = {
      projectId: 'proj_1',
      invoiceId: 'iv_1',
      language: 'de',
      view: 'form',
      authorizeOnly: false,
      token: null,
    }
    expect(readPagePayment(JSON.stringify(data))).toEqual(read)
  })

  test.each(['alreadyPaid', 'expired', 'whatever comes'])('is over where it is %s', (view) => {
    expect(readPagePayment(JSON.stringify({ ...data, view }))?.view).toBe('over')
  })

  test('leaves the capture to the merchant where nothing is said of it', () => {
    expect(readPagePayment(JSON.stringify({ ...data, authorize_only: undefined }))?.authorizeOnly).toBe(true)
  })
})
