/** The language of the pages: the one that the person has chosen, else the first of the browser's that there is. */

/** Each by its own name. A new one is a folder beside `catalogue/en`, a line here, and one in `words.ts`. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français' } as const

export type Language = keyof typeof LANGUAGES

/** Where the browser keeps what the person has chosen. */
const KEPT = 'holdfast-language'

/** With Node, whose tests have neither, the language is English. */
const kept = globalThis.localStorage?.getItem(KEPT) ?? null
const ofBrowser = globalThis.document === undefined ? ['en'] : navigator.languages

export const { language, locale } = languageOf(kept, ofBrowser)

/**
 * The language, and the locale in which it writes numbers and dates: that of the browser where it is of the same language, so
 * that an Austrian reads Austrian dates.
 *
 * @param chosen what the person has chosen; null and what there is not count as nothing
 * @param preferred of the browser, the dearest first: ["de-AT", "en"]
 */
export function languageOf(
  chosen: string | null,
  preferred: readonly string[],
): { language: Language; locale: string } {
  const known = (code: string): code is Language => Object.hasOwn(LANGUAGES, code)
  const short = (tag: string) => tag.replace(/-.*/, '').toLowerCase()
  const language = [chosen ?? '', ...preferred.map(short)].find(known) ?? 'en'
  return { language, locale: preferred.find((tag) => short(tag) === language) ?? language }
}

/** What has been read and made so far speaks the language of before, so the page is loaded again. */
export function chooseLanguage(chosen: string): void {
  localStorage.setItem(KEPT, chosen)
  location.reload()
}
