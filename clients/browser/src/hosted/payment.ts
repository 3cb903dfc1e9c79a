import { objectIn, textIn } from '../payment/answer.ts'

/** What the server says of the payment; see `ScriptData` in `src/pages/hosted-page.ts`. */
export interface PagePayment {
  projectId: string
  invoiceId: string
  language: string
  /** What the page begins with. Only these two views go on by the script. */
  view: 'form' | 'busy' | 'over'
  authorizeOnly: boolean
  /** By which the payment goes on after a full page of the bank. */
  token: string | null
}

/** The payment of the page; null on a page without one. */
export function readPagePayment(text: string | null | undefined): PagePayment | null {
  if (text == null) return null
  const data = objectIn(JSON.parse(text))
  const [projectId, invoiceId, language] = [textIn(data.project_id), textIn(data.invoice_id), textIn(data.language)]
  if (projectId === null || invoiceId === null || language === null) return null
  return {
    projectId,
    invoiceId,
    language,
    view: data.view === 'form' || data.view === 'busy' ? data.view : 'over',
    // Where nothing is said, the merchant's server captures.
    authorizeOnly: data.authorize_only !== false,
    token: textIn(data.token),
  }
}
