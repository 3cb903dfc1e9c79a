import type { CustomerAction } from '../payment/answer.ts'
import type { ActionEnd } from '../payment/flow.ts'
import { bankFrameOf } from './bank-frame.ts'
import { type DialogOptions, showDialog } from './dialog.ts'
import { fingerprint } from './fingerprint.ts'
import { goToFullPage } from './full-page.ts'

/** Has the customer act in this page. Each action gets frames of its own, which are gone when it has ended. */
export function createAct(api: { apiUrl: string; projectId: string }, options: DialogOptions) {
  const { origin } = new URL(api.apiUrl)
  return async ({ type, value, isFullPage }: CustomerAction): Promise<ActionEnd> => {
    const address = bankFrameOf(value, api)
    if (address === null) {
      const detail = `${type} is no action for a page of ${api.apiUrl}. Load this script from the PUBLIC_URL of the API.`
      return { kind: 'impossible', detail }
    }
    const page = { address, value, origin }
    switch (type) {
      case 'fingerprint':
        return fingerprint(page)
      case 'redirect':
        return showDialog(page, options)
      case 'url':
        return isFullPage ? goToFullPage(value) : showDialog(page, options)
      default:
        return { kind: 'impossible', detail: `${type} is for apps: device.channel of the invoice must be web.` }
    }
  }
}
