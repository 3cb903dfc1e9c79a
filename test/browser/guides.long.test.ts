import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { credentialsOf, PROGRAMS, ROOT } from '../docs/guides/environment.ts'
import { type Block, blocksOf, readGuide } from '../docs/guides/guide.ts'
import { openTerminal, type Terminal } from '../docs/guides/terminal.ts'
import { answerBank, CARDS, cardField, describeInChromium, payWith, stage } from './stage.ts'

const CARD_FORM = readFileSync(new URL('../../docs/card-form.md', import.meta.url), 'utf8')
const [, policy = ''] = /^## Content security policy\n.*?^```\n(.*?)\n```/ms.exec(CARD_FORM) ?? []

const ACCEPT = blocksOf(readGuide('accept-a-card.md'))
const PAGE = ACCEPT.find(({ language }) => language === 'html') as Block

let terminal: Terminal

/** Opens the page of the guide on the merchant's server, with the addresses and ids that are left open in it. */
async function open(invoiceId: string): Promise<void> {
  const { stack, merchant } = stage
  const api = (text: string) => text.replaceAll('https://api.example', stack.baseUrl)
  const html = `<!doctype html><html lang="en"><title>Shop</title>${api(PAGE.code)}</html>`
    .replace('test-proj_…', `test-${stack.project.id}`)
    .replace('iv_…', invoiceId)
    .replaceAll(/<(script|style)>/g, '<$1 nonce="1">')
  // The policy of the guide, with everything else forbidden. The page's own script and style are the page's affair.
  const strict = `default-src 'none'; style-src 'nonce-1'; require-trusted-types-for 'script'; ${api(policy)}`
  merchant.pages.set('/checkout', { html, policy: strict.replace('script-src', "script-src 'nonce-1'") })
  await stage.page.goto(`${merchant.url}/checkout`)
  await cardField('cc-number').waitFor()
}

describeInChromium('a guide, followed line by line', () => {
  beforeEach(async () => {
    terminal = openTerminal(ROOT, PROGRAMS)
    await terminal.run('. examples/sandbox.sh 2>&-')
    for (const [name, value] of Object.entries(credentialsOf(stage.stack)))
      await terminal.run(`export ${name}='${value}'`)
  })
  afterEach(() => terminal.close())

  test('accept-a-card.md has a page that takes a payment under its policy: after a decline, with a challenge, and leads on', async () => {
    const { page: window, merchant, complaints } = stage
    await terminal.follow(ACCEPT, {
      async other(block) {
        // The other one is the demo's, and compared with that.
        if (block !== PAGE) return
        await open((await terminal.run('echo $INVOICE')).trim())
        await payWith(CARDS.declined)
        await window.getByText('The card was declined.').waitFor()
        await payWith(CARDS.challenge)
        await answerBank()
        await window.waitForURL(`${merchant.url}/orders/1001`)
      },
    })
    expect(complaints).toEqual([])
  })

  test('merchant-initiated-payments.md charges a card for which its customer has passed a challenge', async () => {
    const blocks = blocksOf(readGuide('merchant-initiated-payments.md'))
    const later = blocks.findIndex(({ code }) => code.includes('invoices/$FIRST?'))
    await terminal.follow(blocks.slice(0, later))
    const [address = ''] = terminal.output().match(/http:[^"]+\/pay\/[^"]+/) ?? []
    await stage.page.goto(address)
    await stage.page.frameLocator('#bank').frameLocator('iframe').getByLabel('Code').waitFor()
    await answerBank()
    const isPaid = async () =>
      (await terminal.run('curl -sS -u $KEY $HOLDFAST/invoices/$FIRST')).includes('"completed"')
    await stage.stack.waitFor(isPaid)
    await terminal.follow(blocks.slice(later))
    const [initial] = terminal.output().match(/"initial_scheme_transaction_id": "\d+"/) ?? []
    expect(terminal.output()).toContain(initial?.replace('initial_scheme_transaction_id', 'scheme_id'))
  })
})
