import { objectIn, textIn } from './answer.ts'

/** What a payment remembers across a page of the bank or a reload, in this tab only. No secret is in it. */
export interface Remembered {
  /** The card or token by which the payment was begun. */
  source: string
  /** Scheme, last digits and expiry of the card; null where they are not known. */
  card: string | null
  /** The options of the payment without the client secret. */
  fields: Readonly<Record<string, unknown>>
}

export interface Memory {
  remember(invoiceId: string, payment: Remembered): void
  recall(invoiceId: string): Remembered | null
  forget(invoiceId: string): void
}

const nameOf = (invoiceId: string) => `holdfast.${invoiceId}`

/** A memory in the browser's storage of the tab. Where the browser forbids it, nothing is remembered. */
export function createMemory(storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Memory {
  const attempt = <Result>(use: () => Result): Result | null => {
    try {
      return use()
    } catch {
      return null
    }
  }
  return {
    remember: (invoiceId, payment) => {
      attempt(() => storage().setItem(nameOf(invoiceId), JSON.stringify(payment)))
    },
    recall(invoiceId) {
      const { source, card, fields } = objectIn(
        attempt(() => JSON.parse(storage().getItem(nameOf(invoiceId)) ?? 'null')),
      )
      return typeof source === 'string' ? { source, card: textIn(card), fields: objectIn(fields) } : null
    },
    forget: (invoiceId) => {
      attempt(() => storage().removeItem(nameOf(invoiceId)))
    },
  }
}
