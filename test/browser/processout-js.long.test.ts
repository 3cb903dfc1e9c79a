import { expect, test } from '@jest/globals'
import { authorizationsOf, invoiceOf, makeInvoice } from './hosted-invoices.ts'
import { CARDS, describeInChromium, stage } from './stage.ts'

/**
 * A page that sends and hears what ProcessOut's library does, version 1.9.8: its query, its fields, its frames, and its
 * messages, of which it looks at the namespace alone.
 */
const script = (apiUrl: string, projectId: string) => `
  const PROJECT = 'test-${projectId}'
  const DEVICE = {
    request_origin: 'web', app_color_depth: screen.colorDepth, app_language: navigator.language,
    app_screen_height: screen.height, app_screen_width: screen.width,
    app_timezone_offset: new Date().getTimezoneOffset(), app_java_enabled: navigator.javaEnabled(),
  }
  async function call(path, body) {
    const sent = { 'Content-Type': 'application/json', 'API-Version': '1.3.0.0', Authorization: 'Basic ' + btoa(PROJECT + ':') }
    const named = { ...sent, 'ProcessOut-JS-Version': '1.9.8' }
    const query = ['legacyrequest=true&project_id=' + PROJECT, ...Object.entries(named).map(([name, value]) => 'x-' + name + '=' + value)]
    const headers = { ...sent, 'X-ProcessOut-JS-Version': '1.9.8' }
    const answer = await fetch('${apiUrl}/' + path + '?' + query.join('&'), { method: 'POST', headers, body: JSON.stringify({ ...body, device: DEVICE, ...DEVICE }) })
    return answer.json()
  }
  function act(url, isHidden) {
    const frame = Object.assign(document.createElement('iframe'), { src: url, width: 440, height: 480 })
    if (isHidden) frame.style.display = 'none'
    document.body.append(frame)
    return new Promise((resolve) => {
      addEventListener('message', function hear({ data }) {
        let message = {}
        try { message = JSON.parse(data) } catch {}
        if (message.namespace !== 'processout.checkout') return
        removeEventListener('message', hear)
        frame.remove()
        resolve(message.action === 'success' ? message.data : Promise.reject(message))
      })
    })
  }
  async function makeCardPayment(invoice, card) {
    const steps = []
    for (let source = card; ; ) {
      const body = { source, authorize_only: true, enable_three_d_s_2: true }
      const { outcome, customer_action: action, error_type } = await call('invoices/' + invoice + '/capture', body)
      if (!action) return { steps, outcome, error_type }
      steps.push(action.type)
      const token = await act(action.value, action.type === 'fingerprint')
      source = action.type === 'url' ? card : token
    }
  }
  async function pay(invoice, number) {
    const { card } = await call('cards', { number, exp_month: '12', exp_year: '2030', cvc2: '123', contact: {} })
    return makeCardPayment(invoice, card.id)
  }
`

const address = '/processout-js'
const bank = () => stage.page.frameLocator('iframe')

async function open(): Promise<void> {
  const { stack, merchant, page } = stage
  const html = `<!doctype html><html lang="en"><title>Shop</title><h1>Checkout</h1><script>${script(stack.baseUrl, stack.project.id)}</script>`
  merchant.pages.set(address, { html, policy: 'upgrade-insecure-requests' })
  await page.goto(merchant.url + address)
}

describeInChromium('a page with ProcessOut’s library', () => {
  test.each([
    ['without 3-D Secure', CARDS.approved, []],
    ['with version 1', '4000000000003246', ['url']],
    ['with a fingerprint of version 2', '4000000000003063', ['fingerprint']],
    ['with a challenge of version 2', CARDS.challenge, ['redirect']],
  ])('authorizes a payment %s', async (_, number, steps) => {
    const { id } = await makeInvoice()
    await open()
    const paid = stage.page.evaluate(`pay('${id}', '${number}')`)
    if (steps[0] === 'url' || steps[0] === 'redirect') {
      await bank().getByLabel('Code').fill('1234')
      await bank().getByRole('button', { name: 'Confirm' }).click()
    }
    expect(await paid).toEqual({ steps, outcome: 'success' })
    expect(await invoiceOf(id)).toMatchObject({ status: 'authorized', transaction: { captured_amount: '0.00' } })
    expect(await authorizationsOf(id)).toHaveLength(1)
    expect(stage.complaints).toEqual([])
  })

  test('hears of a challenge that failed', async () => {
    const { id } = await makeInvoice()
    await open()
    const paid = stage.page.evaluate(`pay('${id}', '${CARDS.challengeFails}')`)
    await bank().getByLabel('Code').fill('1234')
    await bank().getByRole('button', { name: 'Confirm' }).click()
    expect(await paid).toMatchObject({ outcome: 'failed', error_type: 'card.failed-3ds' })
    expect(await invoiceOf(id)).toMatchObject({ status: 'failed' })
  })
})
