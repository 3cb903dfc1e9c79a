import type { openLines } from '../line.ts'
import type { AdyenBooks } from './harness.ts'

type Heard = Awaited<ReturnType<typeof openLines>>['heard']
type Fields = Record<string, unknown>

/**
 * What Adyen has done, by its own answers on the line: nobody else can be asked there. A repeated reference is answered under
 * the same id, so that ids count payments. Of later steps it is what Adyen has noted, not what became of it.
 */
export function booksInAnswers(heard: Heard): AdyenBooks {
  const read = () =>
    heard.map(({ sent, answer }) => ({
      path: sent.path,
      body: JSON.parse(sent.body) as Fields,
      answer: parse(answer),
    }))
  const paymentsOf = (invoiceId: string) =>
    new Set(
      read()
        .filter(({ body, answer }) => body.merchantOrderReference === invoiceId && answer.resultCode === 'Authorised')
        .map(({ answer }) => answer.pspReference),
    )
  const notedMinor = async (invoiceId: string, step: string) => {
    const payments = paymentsOf(invoiceId)
    const noted = new Map(
      read()
        .filter(({ path, answer }) => path.endsWith(`/${step}`) && payments.has(answer.paymentPspReference))
        .map(({ answer, body }) => [answer.pspReference, (body.amount as { value: number }).value]),
    )
    return [...noted.values()].reduce((sum, value) => sum + value, 0)
  }
  return {
    countAuthorizations: async (invoiceId) => paymentsOf(invoiceId).size,
    capturedMinor: (invoiceId) => notedMinor(invoiceId, 'captures'),
    refundedMinor: (invoiceId) => notedMinor(invoiceId, 'refunds'),
  }
}

function parse(answer: string): Fields {
  try {
    return JSON.parse(answer) as Fields
  } catch {
    return {}
  }
}
