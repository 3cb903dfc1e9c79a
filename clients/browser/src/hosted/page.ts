/** The script of the hosted page, on which a customer pays an invoice; the page is made by `src/pages/hosted-page.ts`. */
import { createClientClass } from '../client.ts'
import { Checkout } from './checkout.ts'
import { readPagePayment } from './payment.ts'
import { PageViews } from './views.ts'

/** Tells the return page of the bank's full page that the payment belongs to this page and not to one of the merchant. */
const PAGE_OF_TAB = 'holdfast.page'

const { currentScript } = document
const Client = createClientClass(currentScript instanceof HTMLScriptElement ? currentScript.src : null)

// What opens the page is in no history, bookmark or referrer. A cookie opens it when it is loaded again.
history.replaceState(null, '', location.pathname)

const payment = readPagePayment(document.querySelector('#payment')?.textContent)
const main = document.querySelector('main')
if (payment !== null && payment.view !== 'over' && main !== null) {
  const { projectId, invoiceId, language, token } = payment
  rememberPage(invoiceId)
  const client = new Client(projectId, { locale: language })
  const views = new PageViews(main, (element) => client.setupForm(element))
  const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
  const checkout = new Checkout(payment, { client, views, wait })
  document.querySelector('#checkout')?.addEventListener('submit', (event) => {
    event.preventDefault()
    void checkout.submit()
  })
  document.querySelector('#retry')?.addEventListener('click', () => void checkout.retry())
  // `resume` takes the bank's token out of the address, as it does on pages of merchants, before anything else runs.
  if (token !== null) history.replaceState(null, '', `?${new URLSearchParams({ token, invoice_id: invoiceId })}`)
  void checkout.start()
  history.replaceState(null, '', location.pathname)
}

function rememberPage(invoiceId: string): void {
  try {
    sessionStorage.setItem(PAGE_OF_TAB, invoiceId)
  } catch {
    // Where the browser forbids storage, the bank's full page leads to the merchant's return address.
  }
}
