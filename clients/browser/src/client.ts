import { errorOf, type HoldfastError, misuse } from './errors.ts'
import { createAct } from './page/act.ts'
import { CardForm } from './page/form.ts'
import { textIn } from './payment/answer.ts'
import { type Clock, createApiClient, createSend } from './payment/api.ts'
import { type Ending, type FlowDeps, type Payment, pay, resume } from './payment/flow.ts'
import { createMemory } from './payment/memory.ts'
import { readOptions } from './payment/options.ts'
import type * as published from './published.ts'
import type { Card, CardData, ClientOptions, Form, FormOptions, PaymentOptions, PaymentResult } from './published.ts'
import { localeOf, type Texts, textsIn } from './texts.ts'

const PROJECT_ID = /^(test-)?proj_\w+$/

const CLOCK: Clock = {
  now: () => Date.now(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

/** The payments that run in this page, by invoice: a second call for one of them joins it. */
const running = new Map<string, Promise<PaymentResult | null>>()

/** @param scriptUrl where the script was loaded from; null where a bundler has packed it. */
export function createClientClass(scriptUrl: string | null): typeof published.Client {
  return class Client extends HoldfastClient {
    constructor(projectId: string, options: ClientOptions = {}) {
      super(projectId, options, apiUrlOf(options.apiUrl, scriptUrl))
    }
  }
}

class HoldfastClient implements published.Client {
  readonly #projectId: string
  readonly #apiUrl: string
  readonly #texts: Texts
  readonly #locale: string
  readonly #colorScheme: 'auto' | 'light' | 'dark'
  readonly #deps: FlowDeps
  /** What the cards that were made here look like, to know another one after a reload. */
  readonly #cards = new Map<string, string>()

  constructor(projectId: string, { locale, texts, colorScheme = 'auto' }: ClientOptions, apiUrl: string) {
    if (!PROJECT_ID.test(projectId)) throw misuse('The project id is proj_…, or test-proj_… in the sandbox.')
    this.#projectId = projectId
    this.#apiUrl = apiUrl
    const language = localeOf(locale, document.documentElement.lang, navigator.language)
    this.#locale = language
    this.#texts = textsIn(language, texts)
    this.#colorScheme = colorScheme
    this.#deps = {
      api: createApiClient(createSend(apiUrl, projectId), CLOCK),
      clock: CLOCK,
      memory: createMemory(() => sessionStorage),
      act: createAct({ apiUrl, projectId }, { texts: this.#texts, locale: language, colorScheme }),
    }
  }

  async setupForm(element: Element | string, options: FormOptions = {}): Promise<Form> {
    const form = new CardForm(element, options, {
      apiUrl: this.#apiUrl,
      projectId: this.#projectId,
      locale: this.#locale,
      colorScheme: this.#colorScheme,
      texts: this.#texts,
    })
    await form.mount()
    return form
  }

  async tokenize(form: Form, data: CardData = {}): Promise<Card> {
    if (!(form instanceof CardForm)) throw misuse('tokenize takes the form that setupForm has resolved with.')
    const card = await form.tokenize(data)
    this.#cards.set(card.id, [card.scheme, card.last_4_digits, card.exp_month, card.exp_year].join(' '))
    return card
  }

  async pay(
    invoiceId: string,
    token: string | Pick<Card, 'id'>,
    options?: PaymentOptions | null,
  ): Promise<PaymentResult> {
    const source = typeof token === 'string' ? token : token?.id
    if (!source) throw misuse('The payment needs a card or a token.', 'request.validation.missing-source')
    const { fields, clientSecret } = readOptions(options)
    const payment = { invoiceId, source, card: this.#cards.get(source) ?? null, fields, clientSecret }
    const result = await this.#once(invoiceId, () => pay(payment, this.#deps))
    // Null where it has joined a look at an invoice for which nothing was tried.
    return result ?? this.pay(invoiceId, token, options)
  }

  makeCardPayment(
    invoiceId: string,
    token: string | Pick<Card, 'id'>,
    options: PaymentOptions | null | undefined,
    onSuccess: (invoiceId: string) => void,
    onError: (error: HoldfastError) => void,
  ): void {
    // What a callback throws is the page's own error, and no reason to call the other one.
    void this.pay(invoiceId, token, options).then(() => onSuccess(invoiceId), onError)
  }

  async resume(invoiceId: string, options?: PaymentOptions | null): Promise<PaymentResult | null> {
    const payment = this.#remembered(invoiceId, options)
    const token = takeToken(invoiceId)
    return this.#once(invoiceId, () => resume(payment, token, this.#deps))
  }

  /** The payment that this tab has begun, under the options that are given now, or were then. */
  #remembered(invoiceId: string, options: PaymentOptions | null | undefined): Payment {
    const before = this.#deps.memory.recall(invoiceId)
    const { fields, clientSecret } = readOptions(options)
    // The secret is not remembered, and without it the API would refuse the option.
    const known = before?.fields.save_source === true ? null : (before?.fields ?? null)
    return {
      invoiceId,
      source: before?.source ?? null,
      card: before?.card ?? null,
      fields: options == null ? known : fields,
      clientSecret,
    }
  }

  #once(invoiceId: string, run: () => Promise<Ending | null>): Promise<PaymentResult | null> {
    const joined = running.get(invoiceId)
    if (joined !== undefined) return joined
    const result = run()
      .then((ending) => {
        if (ending === null || ending.kind === 'paid') return ending?.result ?? null
        throw errorOf(ending.failure, this.#texts)
      })
      .finally(() => running.delete(invoiceId))
    running.set(invoiceId, result)
    return result
  }
}

/** Takes the bank's token out of the address, so that it is in no history, bookmark or referrer. */
function takeToken(invoiceId: string): string | null {
  const url = new URL(location.href)
  const token = url.searchParams.get('token')
  const named = textIn(url.searchParams.get('invoice_id'))
  const isOurs = token?.startsWith('gway_req_') || (token === '' && named !== null)
  if (token === null || !isOurs || (named !== null && named !== invoiceId)) return null
  url.searchParams.delete('token')
  history.replaceState(history.state, '', url)
  return token
}

/** The address of the API by that of the script, which is below it. */
function apiUrlOf(given: string | undefined, scriptUrl: string | null): string {
  const below = scriptUrl?.indexOf('/js/v1/') ?? -1
  const address = given ?? (scriptUrl === null || below === -1 ? null : scriptUrl.slice(0, below))
  if (address === null) throw misuse('The option apiUrl is needed where the script does not come from the API itself.')
  const { protocol, href } = new URL(address, location.href)
  if (protocol !== 'https:' && protocol !== 'http:') throw misuse(`The apiUrl ${address} is no address of an API.`)
  return href.replace(/\/+$/, '')
}
