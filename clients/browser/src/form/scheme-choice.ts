import type { CardsApi, Schemes } from './cards-api.ts'
import { digitsOf } from './digits.ts'
import type { FieldsView } from './fields-view.ts'
import { schemeOfNumber } from './number.ts'

/** As many first digits tell the issuer. Source: ISO/IEC 7812. */
const IIN_LENGTH = 8

/**
 * The schemes of the card that is being entered. The first digits tell one of them; the API, which is asked once for each
 * issuer, also knows the other one of a co-badged card, and then the customer may choose.
 */
export class SchemeChoice {
  readonly #api: CardsApi
  readonly #view: Pick<FieldsView, 'showScheme' | 'showBrands'>
  readonly #preferred: readonly string[]
  readonly #onChange: () => void
  #digits = ''
  #iin = ''
  #known: Schemes | null = null
  #chosen: string | null = null

  constructor(
    api: CardsApi,
    view: Pick<FieldsView, 'showScheme' | 'showBrands'>,
    preferred: readonly string[],
    onChange: () => void,
  ) {
    this.#api = api
    this.#view = view
    this.#preferred = preferred
    this.#onChange = onChange
  }

  get scheme(): string | null {
    return this.#known?.scheme ?? schemeOfNumber(this.#digits)
  }

  get coScheme(): string | null {
    return this.#known?.coScheme ?? null
  }

  /** The scheme that the customer, or the merchant in advance, prefers; null where the choice is left open. */
  get chosen(): string | null {
    return this.#chosen
  }

  choose(scheme: string): void {
    this.#chosen = scheme
  }

  /** Follows the number as it is entered. */
  follow(number: string): void {
    this.#digits = digitsOf(number)
    const iin = this.#digits.length < IIN_LENGTH ? '' : this.#digits.slice(0, IIN_LENGTH)
    if (iin !== this.#iin) {
      this.#iin = iin
      this.#known = null
      this.#chosen = null
      this.#view.showBrands([], null)
      if (iin !== '') void this.#api.schemesOf(iin).then((schemes) => this.#take(iin, schemes))
    }
    this.#view.showScheme(this.scheme)
  }

  #take(iin: string, schemes: Schemes | null): void {
    if (this.#iin !== iin || schemes === null) return
    this.#known = schemes
    if (schemes.coScheme !== null) {
      const both = [schemes.scheme, schemes.coScheme]
      this.#chosen = this.#preferred.find((one) => both.includes(one)) ?? null
      this.#view.showBrands(both, this.#chosen)
    }
    this.#view.showScheme(schemes.scheme)
    this.#onChange()
  }
}
