import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { answerBank, CARDS, cardField, describeInChromium, payWith, stage } from './stage.ts'

const GUIDE = readFileSync(new URL('../../docs/card-form.md', import.meta.url), 'utf8')
const [, page = ''] = /^## Quick start\n.*?^```html\n(.*?)^```/ms.exec(GUIDE) ?? []
const [, policy = ''] = /^## Content security policy\n.*?^```\n(.*?)\n```/ms.exec(GUIDE) ?? []

/** Opens the page of the guide on the merchant's server, with the addresses and ids that are left open in it. */
async function open(invoiceId: string): Promise<void> {
  const { stack, merchant } = stage
  const api = (text: string) => text.replaceAll('https://api.example', stack.baseUrl)
  const html = `<!doctype html><html lang="en"><title>Shop</title>${api(page)}</html>`
    .replace('test-proj_…', `test-${stack.project.id}`)
    .replace('iv_…', invoiceId)
    .replace('<script>', '<script nonce="1">')
  // The policy of the guide, with everything else forbidden. The page's own script is the page's affair.
  const strict = `default-src 'none'; style-src 'none'; require-trusted-types-for 'script'; ${api(policy)}`
  merchant.pages.set('/checkout', { html, policy: strict.replace('script-src', "script-src 'nonce-1'") })
  await stage.page.goto(`${merchant.url}/checkout`)
  await cardField('cc-number').waitFor()
}

describeInChromium('the quick start of the guide', () => {
  test('takes a payment under the policy of the guide: after a decline, with a challenge, and leads on', async () => {
    const { page: window, stack, merchant, complaints } = stage
    const { id } = await stack.createInvoice()
    await open(id)
    await payWith(CARDS.declined)
    await window.getByText('The card was declined.').waitFor()
    await payWith(CARDS.challenge)
    await answerBank()
    await window.waitForURL(`${merchant.url}/orders/1`)
    expect((await stack.get(`/invoices/${id}`)).body.invoice.status).toBe('completed')
    expect(complaints).toEqual([])
  })
})
