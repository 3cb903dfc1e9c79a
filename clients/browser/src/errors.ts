import type * as published from './published.ts'
import type { FieldName } from './published.ts'
import type { TextName, Texts } from './texts.ts'

export interface Failure {
  code: string
  /** For the developer, in English. */
  detail: string
  requestId?: string | null
  invoiceId?: string | null
  fields?: Partial<Record<FieldName, string>>
  /** The customer's text, where the card form has one that is more exact than that of the code. */
  message?: string | undefined
}

export class HoldfastError extends Error implements published.HoldfastError {
  override readonly name = 'HoldfastError'
  readonly code: string
  readonly detail: string
  readonly request_id: string | null
  readonly invoice_id: string | null
  readonly fields: Partial<Record<FieldName, string>>

  constructor(message: string, { code, detail, requestId = null, invoiceId = null, fields = {} }: Failure) {
    super(message)
    this.code = code
    this.detail = detail
    this.request_id = requestId
    this.invoice_id = invoiceId
    this.fields = fields
  }
}

const TEXT_OF_CODE: Readonly<Record<string, TextName>> = {
  'customer.canceled': 'canceled',
  'customer.cancelled': 'canceled',
  'card.canceled-by-client': 'canceled',
  'payment.pending': 'pending',
  network: 'network',
  'card.no-money': 'noMoney',
  'card.expired': 'cardExpired',
  'card.expired-3ds': 'authenticationExpired',
  'card.needs-authentication': 'authenticationFailed',
  'server.unavailable': 'later',
  'request.not-started': 'later',
}

/** The rest by the beginning of the code; the first that fits. */
const TEXT_OF_BEGINNING: readonly (readonly [RegExp, TextName])[] = [
  [/^card\..*3ds/, 'authenticationFailed'],
  [/^(card|customer|gateway|payment|routing-rules)\./, 'declined'],
  [/^request\.rate\./, 'later'],
]

/** What the customer reads of a code. */
export function textNameOf(code: string): TextName {
  return TEXT_OF_CODE[code] ?? TEXT_OF_BEGINNING.find(([beginning]) => beginning.test(code))?.[1] ?? 'failed'
}

/** Mistakes of who wrote the page: their details hold nothing of the customer and nothing of a card. */
const OF_THE_PAGE = /^(request\.(action|authentication|configuration|form)|resource|sandbox)\./

/** What only the developer of the page can mend is said in the console, too: customers read of a failure alone. */
export function errorOf(failure: Failure, texts: Texts): HoldfastError {
  if (OF_THE_PAGE.test(failure.code)) tellDeveloper(failure)
  return new HoldfastError(failure.message ?? texts[textNameOf(failure.code)], failure)
}

export function tellDeveloper({ code, detail }: Pick<Failure, 'code' | 'detail'>): void {
  // biome-ignore lint/suspicious/noConsole: the developer of the page reads it there.
  console.warn(`Holdfast: ${detail} (${code})`)
}

/** A mistake of the merchant's page. */
export function misuse(detail: string, code = 'request.validation.error'): HoldfastError {
  return new HoldfastError(detail, { code, detail })
}
