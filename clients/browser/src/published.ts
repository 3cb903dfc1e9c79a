/**
 * The public types of the Holdfast library for browsers. They are published as `holdfast.d.ts`, which imports nothing: the
 * objects of the interface stand there themselves.
 */
import type { Card, CardContact, PaymentOptions } from './generated/objects.ts'

export type { Card, CardContact, PaymentOptions }

export interface ClientOptions {
  /** The address of the API. By default the address that the script was loaded from; needed where a bundler packs it. */
  apiUrl?: string | undefined
  /** `en`, `de`, `fr`, `es`, `ar`. By default the language of the page, then that of the browser, then English. */
  locale?: string | undefined
  /** Other words for the texts that payments show. */
  texts?: PaymentTexts | undefined
  /** `auto` follows the CSS property `color-scheme` of the page. */
  colorScheme?: 'auto' | 'light' | 'dark' | undefined
}

/** The texts of payments. Where nothing else is said, they are messages of errors. */
export interface PaymentTexts {
  /** Names the frame of the card form for screen readers. */
  formTitle?: string | undefined
  /** The heading of the dialog that shows the bank's page, and its buttons. */
  dialogTitle?: string | undefined
  dialogClose?: string | undefined
  dialogFullPage?: string | undefined
  declined?: string | undefined
  noMoney?: string | undefined
  cardExpired?: string | undefined
  authenticationFailed?: string | undefined
  authenticationExpired?: string | undefined
  canceled?: string | undefined
  pending?: string | undefined
  network?: string | undefined
  later?: string | undefined
  failed?: string | undefined
}

export type FieldName = 'number' | 'expiry' | 'cvc' | 'name'

export interface FormOptions {
  /** By default that of the client. */
  locale?: string | undefined
  /** By default that of the client. */
  colorScheme?: 'auto' | 'light' | 'dark' | undefined
  theme?: Theme | undefined
  /** Other words for the texts of the form. */
  texts?: FormTexts | undefined
  /** The cardholder's name. `required` by default; with `hidden` it can be given to `tokenize`. */
  name?: 'required' | 'optional' | 'hidden' | undefined
  /** The schemes that are chosen in advance on a co-badged card, the best first. By default none: the cardholder chooses. */
  preferredSchemes?: readonly string[] | undefined
  /** Puts the focus into the first field as soon as the form is ready. */
  autofocus?: boolean | undefined
}

/** Colours are `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb(…)` or `hsl(…)`. */
export interface ThemeColors {
  colorText?: string | undefined
  colorLabel?: string | undefined
  colorPlaceholder?: string | undefined
  /** The background of a field; the form itself is transparent. */
  colorBackground?: string | undefined
  colorBorder?: string | undefined
  colorFocus?: string | undefined
  colorError?: string | undefined
}

export interface Theme extends ThemeColors {
  /** The fonts that the customer's device has. Files are not loaded. */
  fontFamily?: 'system' | 'sans-serif' | 'serif' | 'monospace' | 'rounded' | undefined
  /** 16 to 24 px. Below 16, phones zoom into the field. */
  fontSize?: number | undefined
  /** 0 to 4 px. */
  borderWidth?: number | undefined
  /** 0 to 32 px. */
  borderRadius?: number | undefined
  /** The distance between fields, 4 to 32 px. */
  spacing?: number | undefined
  /** The height of a field, 40 to 72 px. */
  fieldHeight?: number | undefined
  /** Other colours for dark pages. */
  dark?: ThemeColors | undefined
}

export interface FormTexts {
  title?: string | undefined
  number?: string | undefined
  expiry?: string | undefined
  expiryPlaceholder?: string | undefined
  cvc?: string | undefined
  name?: string | undefined
  optional?: string | undefined
  brand?: string | undefined
  numberMissing?: string | undefined
  numberIncomplete?: string | undefined
  numberInvalid?: string | undefined
  expiryMissing?: string | undefined
  expiryInvalid?: string | undefined
  expiryPast?: string | undefined
  cvcMissing?: string | undefined
  cvcInvalid?: string | undefined
  nameMissing?: string | undefined
  nameInvalid?: string | undefined
  refused?: string | undefined
  network?: string | undefined
}

export interface FieldState {
  isEmpty: boolean
  isValid: boolean
  /** The text that the form shows; null as long as it shows none. */
  error: string | null
}

/** What the merchant's page may know of the form: no digit of the card. */
export interface FormState {
  /** Every field is valid. */
  isComplete: boolean
  /** `visa`, `mastercard`, …; null while it is not known. */
  scheme: string | null
  /** The other scheme of a co-badged card. */
  coScheme: string | null
  fields: Record<FieldName, FieldState>
}

export interface FormEvents {
  /** The form is there; also after it was mounted again. */
  ready: FormState
  change: FormState
  focus: { field: FieldName }
  blur: { field: FieldName }
  /** The customer has pressed the enter key. */
  submit: FormState
}

export interface Form {
  /** Calls the listener each time; the function that is returned ends that. */
  on<Name extends keyof FormEvents>(name: Name, listener: (event: FormEvents[Name]) => void): () => void
  /** Focuses a field, by default the first one that is not valid. */
  focus(field?: FieldName): void
  /** Shows every problem, focuses the first one, and tells the state. */
  validate(): Promise<FormState>
  /** Changes what is given and leaves what was entered. */
  update(options: Pick<FormOptions, 'locale' | 'colorScheme' | 'theme' | 'texts'>): Promise<void>
  /** Empties every field, or the one that is named. */
  clear(field?: FieldName): void
  /** Removes the form with all that was entered. */
  unmount(): void
  /** Shows it again, empty, in the same element or in another one. */
  mount(element?: Element | string): Promise<void>
}

/** What may be sent along with the card. */
export interface CardData {
  /** Where the form does not ask for it. */
  name?: string | undefined
  contact?: CardContact | undefined
}

export interface PaymentResult {
  invoice_id: string
  status: 'authorized' | 'completed'
  transaction_id: string | null
  /** The token that the source has become; null without `save_source`. */
  customer_token_id: string | null
}

/** Why something failed. `message` is written for the customer, in the language of the client. */
export declare class HoldfastError extends Error {
  /**
   * `customer.canceled`; `card.…` and other codes of the API for a decline; `payment.pending` where the outcome is not
   * known and the customer must not pay again; `network` where nothing can be reached; `request.…` where the call is wrong.
   */
  readonly code: string
  /** The same for the developer, in English. */
  readonly detail: string
  /** Names the case to whoever runs the API. */
  readonly request_id: string | null
  readonly invoice_id: string | null
  /** The texts of the fields that are not valid. */
  readonly fields: Partial<Record<FieldName, string>>
}

export declare class Client {
  /** @param projectId `proj_…`, in the sandbox `test-proj_…` */
  constructor(projectId: string, options?: ClientOptions)
  /** Shows the card form in an element of the page. It is ready when the promise is resolved. */
  setupForm(element: Element | string, options?: FormOptions): Promise<Form>
  /** Stores the card that was entered. Its number goes from the form to the API, past the page. */
  tokenize(form: Form, data?: CardData): Promise<Card>
  /** Pays an invoice with a card or a customer's token, with all that the customer's bank asks for. */
  pay(invoiceId: string, token: string | Pick<Card, 'id'>, options?: PaymentOptions | null): Promise<PaymentResult>
  /** The same with callbacks, exactly one of which is called, once. */
  makeCardPayment(
    invoiceId: string,
    token: string | Pick<Card, 'id'>,
    options: PaymentOptions | null | undefined,
    onSuccess: (invoiceId: string) => void,
    onError: (error: HoldfastError) => void,
  ): void
  /**
   * Goes on with a payment after the customer was sent to a page of the bank, or after the page was loaded again. Resolves
   * with null where nothing has been paid or tried: then show the form.
   */
  resume(invoiceId: string, options?: PaymentOptions | null): Promise<PaymentResult | null>
}
