import type { Form } from '../published.ts'
import type { Views } from './checkout.ts'

/** After so long the customer is told that the bank is slow. */
const SLOW_AFTER_MS = 5_000
/** How long the customer reads that the payment was made before the shop comes back. The text of the page says 5 s. */
const LEAVES_AFTER_MS = 5_000

/** The views that the server has written into the page, of which one is shown. */
export class PageViews implements Views {
  #slow: ReturnType<typeof setTimeout> | undefined
  readonly #main: Element
  readonly #mount: (element: Element) => Promise<Form>

  /** @param mount shows the card form in an element. */
  constructor(main: Element, mount: (element: Element) => Promise<Form>) {
    this.#main = main
    this.#mount = mount
  }

  /** The heading takes the focus, so that screen readers say what has come and the keyboard goes on from there. */
  show(view: string): void {
    const next = this.#find(`[data-view="${view}"]`)
    if (!next.hidden) return
    for (const other of this.#main.querySelectorAll<HTMLElement>('[data-view]')) other.hidden = other !== next
    const heading = next.querySelector('h2')
    document.title = `${heading?.textContent ?? ''} · ${document.querySelector('.merchant')?.textContent ?? ''}`
    heading?.focus()
    scrollTo({ top: 0 })
  }

  problem(message: string | null): void {
    this.#find('#problem').textContent = message ?? ''
  }

  working(isWorking: boolean): void {
    const button = this.#find('#pay')
    // Not disabled, which would take the focus away.
    button.setAttribute('aria-disabled', String(isWorking))
    const progress = this.#find('#progress')
    progress.textContent = isWorking ? (progress.dataset.paying ?? '') : ''
    progress.className = 'spoken'
    clearTimeout(this.#slow)
    if (isWorking) this.#slow = setTimeout(() => this.#saySlow(progress), SLOW_AFTER_MS)
    const card = this.#find('#card')
    card.inert = isWorking
    const cancel = this.#main.querySelector<HTMLElement>('#cancel')
    if (cancel !== null) cancel.inert = isWorking
  }

  #saySlow(progress: HTMLElement): void {
    progress.textContent = progress.dataset.slow ?? ''
    progress.className = 'slow'
  }

  leaveSoon(): void {
    const paid = this.#find('[data-view="paid"]')
    const back = paid.querySelector<HTMLAnchorElement>('[data-back]')
    const leaving = paid.querySelector<HTMLElement>('[data-leaving]')
    if (back === null || leaving === null) return
    leaving.hidden = false
    const timer = setTimeout(() => location.assign(back.href), LEAVES_AFTER_MS)
    leaving.querySelector('button')?.addEventListener('click', () => {
      clearTimeout(timer)
      leaving.hidden = true
      back.focus()
    })
  }

  async mount(): Promise<Form> {
    const card = this.#find('#card')
    const form = await this.#mount(card)
    // From now on it is as high as the form, which grows with what it has to say.
    card.classList.add('ready')
    return form
  }

  #find(selector: string): HTMLElement {
    const found = this.#main.querySelector<HTMLElement>(selector)
    if (found === null) throw new Error(`The page has no ${selector}.`)
    return found
  }
}
