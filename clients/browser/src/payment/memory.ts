import { objectIn, textIn } from './answer.ts'

/** What a payment remembers across a page of the bank or a reload, in this tab only. No secret is in it. */
export interface Remembered {
  /** The card or token by which the payment was begun. */
  source: string
  /** Scheme, last digits and expiry of the card; null where they are not known. */
  card: string | null
  /** The options of the payment without the client secret. */
  fields: Readonly<Record<string, unknown>>
  /** The step of the bank that was shown last, by its address; null before any. */
  step: string | null
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
      const { source, card, fields, step } = objectIn(
        attempt(() => JSON.parse(storage().getItem(nameOf(invoiceId)) ?? 'null')),
      )
      if (typeof source !== 'string') return null
      return { source, card: textIn(card), fields: objectIn(fields), step: textIn(step) }
    },
    forget: (invoiceId) => {
      attempt(() => storage().removeItem(nameOf(invoiceId)))
    },
  }
}
