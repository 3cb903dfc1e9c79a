import type { FrameFailure, FromFrame, ToFrame } from '../messages.ts'
import { objectIn, textIn } from '../payment/answer.ts'
import type { Card, FieldName, FormState } from '../published.ts'
import { localeOf } from '../texts.ts'
import { browserFacts, type CardsApi, contactOf } from './cards-api.ts'
import { type Connection, readFrameOptions } from './connection.ts'
import { FieldsView } from './fields-view.ts'
import { SchemeChoice } from './scheme-choice.ts'
import { cardFieldsOf, codeOf, FIELDS, isSettled, type Problem, type Problems, problemsOf, stateOf } from './state.ts'
import { type FormTextsOf, formTextsIn } from './texts.ts'
import { readTheme, ThemeProblem } from './theme.ts'

type Stored = { kind: 'card'; card: Card } | { kind: 'failure'; failure: FrameFailure }

/** The card form in its frame: the fields, and the answers to the page around it. */
export class CardForm {
  readonly #api: CardsApi
  readonly #options: ReturnType<typeof readFrameOptions>
  readonly #send: (message: FromFrame) => void
  readonly #view: FieldsView
  readonly #schemes: SchemeChoice
  #texts: FormTextsOf
  /** The texts that the fields show as errors. */
  readonly #shown: Partial<Record<FieldName, string>> = {}
  #wasValidated = false
  /** The state that the page was told last. */
  #told = ''
  #storing: Promise<Stored> | null = null

  private constructor({ options, send }: Connection, api: CardsApi) {
    this.#api = api
    this.#send = send
    this.#options = readFrameOptions(options)
    this.#texts = formTextsIn(localeOf(this.#options.locale), this.#options.texts)
    this.#view = new FieldsView({
      input: (field) => this.#input(field),
      focus: (field) => send({ type: 'focus', field }),
      blur: (field) => this.#blur(field),
      enter: () => send({ type: 'submit', state: this.#state() }),
      brand: (scheme) => this.#schemes.choose(scheme),
    })
    this.#schemes = new SchemeChoice(api, this.#view, this.#options.preferredSchemes, () => this.#tellChange())
  }

  /** Shows the form to the page that has connected, or tells it what is wrong with its options. */
  static start(connection: Connection, api: CardsApi): void {
    const form = new CardForm(connection, api)
    const refused = failureOfTheme(() => form.#dress(connection.options))
    if (refused !== null) {
      connection.send({ type: 'refused', failure: refused })
      return
    }
    connection.receive((message) => void form.#answer(message))
    form.#begin()
  }

  #begin(): void {
    const { name, autofocus } = this.#options
    if (name === 'hidden') this.#view.hideName()
    this.#view.requireName(name === 'required')
    // Browsers restore fields of a page that is loaded again; the customer would not see whose card it is.
    this.#view.clear()
    this.#schemes.follow('')
    this.#view.show((height) => this.#send({ type: 'height', height }))
    if (autofocus) this.#view.focus('number')
    const state = this.#state()
    this.#told = JSON.stringify(state)
    this.#send({ type: 'ready', state })
  }

  async #answer(message: ToFrame): Promise<void> {
    switch (message.type) {
      case 'focus':
        return this.#view.focusForPage(fieldIn(message) ?? this.#firstProblem() ?? 'number', 'select')
      case 'refocus':
        return this.#view.focusForPage(this.#view.focused() ?? fieldIn(message) ?? 'number')
      case 'clear':
        return this.#clear(fieldIn(message))
      case 'validate':
        return this.#send({ type: 'answer', id: message.id, answer: this.#validate() })
      case 'update': {
        const failure = failureOfTheme(() => this.#dress(message.changes))
        const { id } = message
        return this.#send(failure === null ? { type: 'answer', id, answer: null } : { type: 'failure', id, failure })
      }
      case 'tokenize': {
        const { id } = message
        const stored = await this.#storeOnce(message.data)
        if (stored.kind === 'card') this.#send({ type: 'answer', id, answer: stored.card })
        else this.#send({ type: 'failure', id, failure: stored.failure })
      }
    }
  }

  #problems(): Problems {
    const isNameRequired = this.#options.name === 'required'
    return problemsOf(this.#view.values(), { scheme: this.#schemes.scheme, isNameRequired, now: new Date() })
  }

  #firstProblem(): FieldName | undefined {
    const problems = this.#problems()
    return FIELDS.find((field) => problems[field] !== null)
  }

  #state(): FormState {
    const { scheme, coScheme } = this.#schemes
    return stateOf(this.#view.values(), this.#problems(), this.#shown, { scheme, coScheme })
  }

  #input(field: FieldName): void {
    if (field === 'number') this.#schemes.follow(this.#view.values().number)
    const problems = this.#problems()
    // While somebody types, only what cannot get better by typing on is an error.
    if (this.#shown[field] !== undefined || isSettled(field, this.#view.values())) this.#show(field, problems[field])
    // The code's length depends on the number's scheme.
    if (field === 'number' && this.#shown.cvc !== undefined) this.#show('cvc', problems.cvc)
    this.#tellChange()
  }

  #blur(field: FieldName): void {
    if (this.#view.values()[field] !== '' || this.#wasValidated) this.#show(field, this.#problems()[field])
    this.#tellChange()
    this.#send({ type: 'blur', field })
  }

  #show(field: FieldName, problem: Problem | null): void {
    this.#showText(field, problem === null ? null : this.#texts[problem])
  }

  #showText(field: FieldName, text: string | null): void {
    if (text === null) delete this.#shown[field]
    else this.#shown[field] = text
    this.#view.showError(field, text)
  }

  #tellChange(): void {
    const state = this.#state()
    const text = JSON.stringify(state)
    if (text === this.#told) return
    this.#told = text
    this.#send({ type: 'change', state })
  }

  #validate(): FormState {
    this.#wasValidated = true
    const problems = this.#problems()
    for (const field of FIELDS) this.#show(field, problems[field])
    const first = this.#firstProblem()
    if (first !== undefined) this.#view.focus(first)
    this.#tellChange()
    return this.#state()
  }

  /** A second call, by a double click, gets the card of the first. */
  #storeOnce(data: unknown): Promise<Stored> {
    this.#storing ??= this.#store(data).finally(() => {
      this.#storing = null
      this.#view.setBusy(false)
    })
    return this.#storing
  }

  async #store(data: unknown): Promise<Stored> {
    if (!this.#validate().isComplete) return { kind: 'failure', failure: this.#incomplete() }
    this.#view.setBusy(true)
    const { name, contact } = objectIn(data)
    const holder = this.#options.name === 'hidden' ? textIn(name) : null
    const { chosen } = this.#schemes
    const created = await this.#api.createCard({
      ...cardFieldsOf(this.#view.values()),
      ...(holder === null ? {} : { name: holder }),
      ...(chosen === null ? {} : { preferred_scheme: chosen }),
      contact: contactOf(contact),
      device: browserFacts(),
    })
    if (created.kind === 'created') return { kind: 'card', card: created.card }
    return { kind: 'failure', failure: this.#refused(created.failure, created.invalid) }
  }

  /** Shows what the API does not accept at its field. */
  #refused(failure: FrameFailure, invalid: readonly FieldName[]): FrameFailure {
    // The sandbox says in its own words which cards it takes, beginning with the name of the field.
    const own = failure.code === 'sandbox.not-supported' ? `This ${failure.detail}` : null
    const known = invalid.filter((field) => field !== 'name' || this.#options.name !== 'hidden')
    for (const field of known) this.#showText(field, own ?? this.#texts[`${field}Invalid`])
    const [first] = known
    if (first !== undefined) this.#view.focus(first)
    this.#tellChange()
    const text = first === undefined ? null : (this.#shown[first] ?? null)
    return { ...failure, message: failure.code === 'network' ? this.#texts.network : text, fields: { ...this.#shown } }
  }

  #incomplete(): FrameFailure {
    const problem = this.#problems()[this.#firstProblem() ?? 'number'] ?? 'numberInvalid'
    const detail = 'The form is not complete or not valid.'
    const fields = { ...this.#shown }
    return { code: codeOf(problem), detail, message: this.#texts[problem], requestId: null, fields }
  }

  /**
   * Puts on theme, language and texts.
   *
   * @throws ThemeProblem
   */
  #dress(given: unknown): void {
    const { locale, theme, texts, isDark } = readFrameOptions(given)
    const read = readTheme(theme)
    this.#texts = formTextsIn(localeOf(locale), texts)
    this.#view.showTheme(read, isDark)
    this.#view.showTexts(localeOf(locale), this.#texts, this.#options.name === 'optional')
    const problems = this.#problems()
    for (const field of FIELDS) if (this.#shown[field] !== undefined) this.#show(field, problems[field])
  }

  #clear(field: FieldName | undefined): void {
    const cleared = field === undefined ? FIELDS : [field]
    this.#view.clear(cleared)
    this.#wasValidated = false
    for (const one of cleared) this.#showText(one, null)
    this.#schemes.follow(this.#view.values().number)
    this.#tellChange()
  }
}

/** The field that a message of the page names; undefined without one. */
function fieldIn({ field: named }: { field: unknown }): FieldName | undefined {
  return FIELDS.find((field) => field === named)
}

/** Null where what was asked for could be done. */
function failureOfTheme(act: () => void): FrameFailure | null {
  try {
    act()
    return null
  } catch (error) {
    if (!(error instanceof ThemeProblem)) throw error
    const { message: detail } = error
    return { code: 'request.form.invalid-theme', detail, message: null, requestId: null, fields: {} }
  }
}
