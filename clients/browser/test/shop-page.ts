import type { ApiSite, ShopSite } from './sites.ts'
import { PROJECT } from './sites.ts'

/** What the tests see of a page; set by the script below. */
export interface ShopWindow {
  /** How the payments have ended, in order. */
  endings: unknown[]
  /** What the form has told. */
  events: [name: string, event: unknown][]
  /** What the page could read in messages to it, by whatever way. */
  messages: string[]
  violations: string[]
  ready: Promise<void>
  form: import('../src/published.ts').Form
  client: import('../src/published.ts').Client
  pay(): Promise<void>
}

/** A page of a merchant under the strictest policy that the guide names. Its query chooses invoice and options. */
export function addShopPages({ pages }: ShopSite, { url }: ApiSite, script = `${url}/js/v1/holdfast.js`): void {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${url}`,
    `frame-src ${url}`,
    `connect-src ${url}`,
    "style-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const headers = { 'Content-Security-Policy': policy }
  pages.set('/shop.css', { html: STYLE })
  pages.set('/spy.js', { html: SPY })
  pages.set('/shop.js', { html: shopScript('setup()') })
  pages.set('/return.js', { html: shopScript('resume()') })
  for (const [path, own] of [
    ['/', '/shop.js'],
    ['/return', '/return.js'],
  ] as const)
    pages.set(path, { headers, html: pageWith(script, own) })
}

const pageWith = (script: string, own: string) => `<!doctype html><html lang="en"><head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title>
  <link rel="stylesheet" href="/shop.css"><script src="/spy.js"></script>
  <script src="${script}"></script><script src="${own}" defer></script></head>
  <body><main><h1>Checkout</h1><form id="checkout"><div id="card"></div><button id="pay">Pay €29.00</button></form>
  <p id="result" role="status"></p><div id="far"></div></main></body></html>`

const STYLE = `
  :root { color-scheme: light dark; font: 16px system-ui, sans-serif }
  body { margin: 0; padding: 16px; background: light-dark(#fff, #14161a); color: light-dark(#1a1d21, #f3f4f6) }
  main { max-width: 420px; margin: 0 auto }
  #pay { margin-top: 16px; width: 100%; height: 48px; font: inherit; border-radius: 8px; border: 0;
    background: #0b5cd5; color: #fff }
  #far { height: 2000px }
  /* What a page's own styles could do to elements of others. */
  iframe { max-width: 100px } button, dialog { letter-spacing: 9px; opacity: 0.5 } #pay { letter-spacing: 0; opacity: 1 }`

/** Listens to every message that any script of the page could read. */
const SPY = `
  window.messages = []
  window.violations = []
  const keep = (event) => messages.push(event.origin + ' ' + JSON.stringify(event.data))
  addEventListener('message', keep)
  document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI))
  const Original = MessageChannel
  window.MessageChannel = class extends Original {
    constructor() { super(); for (const port of [this.port1, this.port2]) port.addEventListener('message', keep) }
  }`

const shopScript = (start: string) => `
  const query = new URLSearchParams(location.search)
  const invoice = query.get('invoice') ?? query.get('invoice_id')
  const json = (name) => JSON.parse(query.get(name) ?? '{}')
  window.endings = []
  window.events = []
  window.client = new Holdfast.Client('${PROJECT}', json('client'))
  const show = (text) => { document.querySelector('#result').textContent = text }
  const succeeded = (id) => { endings.push(['success', id]); show('Thank you.') }
  const failed = (error) => { endings.push(['error', error.code, error.message]); show(error.message) }
  window.pay = async () => {
    try {
      const card = await client.tokenize(form)
      window.card = card
      client.makeCardPayment(invoice, card, json('options'), succeeded, failed)
    } catch (error) { failed(error) }
  }
  async function setup() {
    window.form = await client.setupForm('#card', json('form'))
    for (const name of ['ready', 'change', 'focus', 'blur', 'submit']) form.on(name, (event) => events.push([name, event]))
    form.on('submit', pay)
    document.querySelector('#checkout').addEventListener('submit', (event) => { event.preventDefault(); pay() })
  }
  async function resume() {
    try {
      const paid = await client.resume(invoice)
      if (paid === null) endings.push(['nothing'])
      else succeeded(paid.invoice_id)
    } catch (error) { failed(error) }
  }
  window.ready = ${start}`
