import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { Router } from '@koa/router'
import Koa from 'koa'
import type { AuthorizeRequest } from '../../src/gateways/gateway.ts'
import type { ApiState } from '../../src/http/context.ts'
import { body } from '../../src/http/middleware/body.ts'
import { securityHeaders } from '../../src/http/middleware/security-headers.ts'
import { simulatedBank } from '../../src/pages/simulated-bank-route.ts'
import {
  actionIn,
  patience,
  RETURN_URL,
  RETURNED,
  simulatorForFile,
  withCustomer,
} from '../gateways/simulator-fixture.ts'
import { forFile } from '../support/for-file.ts'
import { listen } from '../support/listen.ts'

const CHALLENGED = '4000000000000101'
const FINGERPRINTED = '4000000000003063'
const SENT_BACK = /document\.forms\[0\]\.submit\(\)/

const simulator = simulatorForFile('bank pages')
const server = forFile(
  () => {
    const bank = simulatedBank({ bank: simulator.bank, randomBytes })
    const router = new Router<ApiState>().get('/simulator/bank/:id', bank).post('/simulator/bank/:id', body(), bank)
    return listen(new Koa<ApiState>().use(securityHeaders({})).use(router.routes()).callback())
  },
  (started) => started.close(),
)

/** The page of an authorization that waits for its customer, as a browser has it. */
async function pageOf(number: string, overrides: Partial<AuthorizeRequest> = {}) {
  const request = simulator.requestOf(number, { authentication: withCustomer(), ...overrides })
  const action = actionIn(await simulator.gateway.authorize(request, patience()))
  const path = `/simulator/bank/${action.continuation}`
  return {
    /** What the gateway says once the browser is back. */
    outcome: () => simulator.goOn(request, action, RETURNED),
    fields: 'page' in action ? (action.page.fields ?? {}) : {},
    get: (init: RequestInit = {}) => load(path, init),
    post: (fields: Readonly<Record<string, string>>) =>
      load(path, { method: 'POST', body: new URLSearchParams(fields) }),
  }
}

async function load(path: string, init: RequestInit = {}) {
  const answer = await fetch(new URL(path, server.url), { redirect: 'manual', ...init })
  const { status, headers } = answer
  return { status, headers, location: headers.get('location'), text: await answer.text() }
}

const code = (typed: string) => ({ answer: 'confirm', code: typed })

describe('the page of a challenge', () => {
  test('asks for a code, and says what for', async () => {
    const page = await pageOf(CHALLENGED, { statementDescriptor: 'ANNA SHOP' })
    const { status, headers, text } = await page.post(page.fields)

    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).toContain('<dd dir="auto">ANNA SHOP</dd>')
    expect(text).toContain('€29.00')
    expect(text).toContain('0101')
    expect(text).not.toContain(CHALLENGED)
    expect(text).toContain('<strong>1234</strong>')
    expect(text).toMatch(/<label for="code">[^<]+<\/label>/)
    expect(inputIn(text)).toMatch(/inputmode="numeric"/)
    expect(inputIn(text)).toMatch(/autocomplete="one-time-code"/)
    expect(inputIn(text)).not.toMatch(/aria-invalid/)
    expect(text).not.toMatch(SENT_BACK)
  })

  test.each([
    ['JPY', 500, '¥500'],
    ['KWD', 1_500, 'KWD 1.500'],
    ['USD', 123_456_789, '$1,234,567.89'],
    ['CLF', 12_345, 'CLF 1.2345'],
    ['ISK', 7, 'ISK 7'],
  ])('writes an amount in %s with its own digits', async (currency, amountMinor, written) => {
    const { text } = await (await pageOf(CHALLENGED, { currency, amountMinor })).get()

    expect(text.replaceAll('\u00a0', ' ')).toContain(`<bdi>${written}</bdi>`)
    expect(text).toContain('your purchase')
  })

  test('escapes whatever the shop is called', async () => {
    const { text } = await (
      await pageOf(CHALLENGED, { statementDescriptor: '</dd><script>alert(1)</script>"\'&' })
    ).get()

    expect(text).toContain(`&lt;/dd>&lt;script>alert(1)&lt;/script>&quot;'&amp;`)
    expect(text).not.toContain('<script>')
  })

  test('lets nothing run but what has the nonce of this one page', async () => {
    const page = await pageOf(CHALLENGED)
    const [first, second] = [await page.get(), await page.get()]

    expect(policyIn(first)).toEqual({
      'default-src': "'none'",
      'style-src': expect.stringMatching(/^'nonce-[\w+/]{22}=='$/),
      'script-src': policyIn(first)['style-src'],
      'form-action': "'self'",
      'base-uri': "'none'",
      'frame-ancestors': '*',
    })
    expect(policyIn(second)['script-src']).not.toBe(policyIn(first)['script-src'])
    expect(first.text).toContain(`<style nonce="${nonceOf(first)}">`)
    expect(first.text).not.toMatch(/ style=| on\w+=/)
    expect(first.headers.get('referrer-policy')).toBe('no-referrer')
    expect(first.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('sends the browser back by itself after the right code, and by a button without scripts', async () => {
    const page = await pageOf(CHALLENGED)
    const answered = await page.post(code(' 12 34 '))

    expect(answered.status).toBe(200)
    expect(answered.text).toContain(`<form method="post" action="${RETURN_URL}">`)
    expect(cresIn(answered.text)).toMatchObject({ messageType: 'CRes', transStatus: 'Y' })
    expect(answered.text).toMatch(/<button[^>]*>Continue to the shop<\/button>/)
    expect(answered.text).toContain(`<script nonce="${nonceOf(answered)}">`)
    expect(answered.text).toMatch(SENT_BACK)
    expect(await page.outcome()).toMatchObject({ kind: 'approved' })
  })

  test('is shown again after a wrong code, with the error beside the field, and fails after the third', async () => {
    const page = await pageOf(CHALLENGED)
    for (const left of [2, 1]) {
      const wrong = await page.post(code('0000'))
      expect([wrong.status, wrong.text.includes('<form')]).toEqual([303, false])
      const { text } = await load(new URL(wrong.location ?? '', `${server.url}/simulator/bank/`).pathname)
      expect(text).toContain(
        `<p class="problem" id="problem" role="alert">That code is not right. Tries left: ${left}.</p>`,
      )
      expect(text).toContain('<title>Error: Confirm your payment</title>')
      expect(inputIn(text)).toMatch(/aria-describedby="problem help" aria-invalid="true"/)
    }
    const last = await page.post(code('0000'))

    expect(last.status).toBe(200)
    expect(cresIn(last.text)).toMatchObject({ transStatus: 'N' })
    expect(await page.outcome()).toMatchObject({ kind: 'declined', code: 'card.failed-3ds' })
  })

  test.each([
    ['de-AT,de;q=0.9', '<html lang="de-AT" dir="ltr">', 'Zahlung bestätigen', '29,00'],
    ['ar', '<html lang="ar" dir="rtl">', 'أكّد الدفع', '29'],
    ['ja', '<html lang="en" dir="ltr">', 'Confirm your payment', '29.00'],
  ])('speaks the language of the browser: %s', async (languages, root, title, amount) => {
    const { text } = await (await pageOf(CHALLENGED)).get({ headers: { 'accept-language': languages } })
    for (const part of [root, title, amount, '<bdi>3-D Secure 2</bdi>']) expect(text).toContain(part)
  })

  test('does not count an empty code, nor what is no text', async () => {
    const page = await pageOf(CHALLENGED)
    for (const fields of [code(''), code('   '), { answer: 'confirm' }, { 'code[]': '1234' }, { 'code[a]': '1234' }]) {
      const { status, text } = await page.post(fields)
      expect(status).toBe(200)
      expect(text).toContain('Enter the code.')
    }
    expect((await page.get()).text).not.toContain('role="alert"')
  })

  test('ends with a failure where the customer cancels', async () => {
    const page = await pageOf(CHALLENGED)

    expect(cresIn((await page.post({ answer: 'cancel', code: '' })).text)).toMatchObject({ transStatus: 'N' })
    expect(await page.outcome()).toMatchObject({ code: 'customer.cancelled', gatewayCode: 'CHALLENGE_CANCELED' })
  })

  test('of version 1 posts its own result', async () => {
    const page = await pageOf('4000000000003246')
    expect((await page.post(page.fields)).text).toContain('3-D Secure 1')

    const { text } = await page.post(code('1234'))

    expect(hiddenIn(text)).toEqual({ PaRes: expect.stringMatching(/./), MD: page.fields.MD })
    expect(await page.outcome()).toMatchObject({ kind: 'approved', authentication: { version: '1.0.2' } })
  })

  test('of a bank that refuses frames can be in none', async () => {
    const page = await pageOf('4242424242424242', simulator.named('three-d-s-full-page'))

    for (const answer of [await page.get(), await page.post(code('1234')), await page.get()])
      expect(policyIn(answer)['frame-ancestors']).toBe("'none'")
  })
})

describe('the page that looks at the browser', () => {
  test('sends itself back', async () => {
    const page = await pageOf(FINGERPRINTED)
    expect((await page.get({ method: 'HEAD' })).status).toBe(200)

    const { status, text } = await page.post(page.fields)

    expect(status).toBe(200)
    expect(Object.keys(hiddenIn(text))).toEqual(['threeDSMethodData'])
    expect(text).toMatch(SENT_BACK)
    expect(await page.outcome()).toMatchObject({ kind: 'approved', authentication: { fingerprintCompleted: true } })
  })

  test('is never heard of again with 4000000000003220', async () => {
    const { status, text } = await (await pageOf('4000000000003220')).get()

    expect(status).toBe(200)
    expect(text).not.toMatch(/<form|<script/)
  })
})

describe('a page that is over', () => {
  test('is gone after its answer, and has a button back to the shop', async () => {
    const page = await pageOf(CHALLENGED)
    await page.post(code('1234'))
    const { status, text } = await page.get()

    expect(status).toBe(410)
    expect(text).toContain('This page has been used')
    expect(cresIn(text)).toMatchObject({ transStatus: 'Y' })
    expect(text).not.toMatch(SENT_BACK)
  })

  test('sends itself on after a second click', async () => {
    const page = await pageOf(CHALLENGED)
    await page.post(code('1234'))
    const second = await page.post(code('1234'))

    expect(second.status).toBe(410)
    expect(cresIn(second.text)).toMatchObject({ transStatus: 'Y' })
    expect(second.text).toMatch(SENT_BACK)
  })

  test('is gone after a quarter of an hour, and leads nowhere', async () => {
    const page = await pageOf(CHALLENGED)
    simulator.clock.advance(15 * 60_000)

    for (const { status, text } of [await page.get(), await page.post(code('1234'))]) {
      expect(status).toBe(410)
      expect(text).toContain('This page has expired')
      expect(text).not.toMatch(/<form|<script/)
    }
    expect(await page.outcome()).toMatchObject({ kind: 'declined', code: 'card.expired-3ds' })
  })

  test.each(['x', `sim_step_${'0'.repeat(32)}`, '%00', '%27', '<script>', encodeURIComponent('../x')])(
    'was never there: %s',
    async (id) => {
      for (const init of [{}, { method: 'POST', body: new URLSearchParams(code('1234')) }]) {
        const { status, text } = await load(`/simulator/bank/${id}`, init)
        expect(status).toBe(404)
        expect(text).toContain('There is no such page')
        expect(text).not.toContain('sim_step_')
      }
    },
  )
})

function policyIn({ headers }: { headers: Headers }): Record<string, string> {
  const rules = (headers.get('content-security-policy') ?? '').split('; ')
  return Object.fromEntries(rules.map((rule) => [rule.split(' ')[0], rule.slice(rule.indexOf(' ') + 1)]))
}

function nonceOf(answer: { headers: Headers }): string {
  return policyIn(answer)['script-src']?.slice("'nonce-".length, -1) ?? ''
}

/** The tag of the field for the code, on one line. */
function inputIn(text: string): string {
  return (/<input id="code"[^>]*>/.exec(text)?.[0] ?? '').replaceAll(/\s+/g, ' ')
}

function hiddenIn(text: string): Record<string, string> {
  const inputs = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]))
}

function cresIn(text: string): unknown {
  return JSON.parse(Buffer.from(hiddenIn(text).cres ?? '', 'base64url').toString())
}
