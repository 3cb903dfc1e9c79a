/**
 * The texts of the pages in the reader's language, from the catalogue. They are ICU messages: `{name}` is a value,
 * `{count, plural, one {# payment} other {# payments}}` a number with its noun, `<at></at>` a place for a part of the page.
 */
import { createElement, type ReactNode } from 'react'
import { createTranslator } from 'use-intl/core'
import type { English } from './catalogue/en/index.ts'
import type { Failures } from './catalogue/failures.ts'
import type { Translated } from './catalogue/translated.ts'
import { type Language, language, locale } from './language.ts'

type Catalogue = Translated<English> & { failures?: Failures }

/** Only the reader's one is loaded. */
const CATALOGUES: Readonly<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  en: () => import('./catalogue/en/index.ts'),
  de: () => import('./catalogue/de/index.ts'),
  fr: () => import('./catalogue/fr/index.ts'),
}

const { failures, ...messages } = (await CATALOGUES[language]()).default

/**
 * A text by its key: `t('webhooks.title')`, `t('amounts.refund', { amount })`. `t.rich` puts parts of the page into it:
 * `t.rich('webhooks.since', { at: () => <Instant at={at} /> })`.
 */
export const t = createTranslator<English>({ messages: messages as English, locale })

type AnyText = (key: string, values: Readonly<Record<string, string>>) => unknown

/** The words of a code that comes from the service, such as `card.no-money`; undefined where there are none. */
export function wordsOf(
  table: string,
  code: string,
  values: Readonly<Record<string, string>> = {},
): string | undefined {
  const key = `${table}.${code}` as Parameters<typeof t.has>[0]
  if (!t.has(key)) return undefined
  const words = (t.rich as AnyText)(key, values)
  return typeof words === 'string' ? words : undefined
}

/** The codes of failed payments that there are words for. */
export const CODES: readonly string[] = Object.entries(messages.codes).flatMap(([family, codes]) =>
  Object.keys(codes).map((code) => `${family}.${code}`),
)

/** What a code of a failed payment means, and what to do about it; undefined in English, in which the interface says both. */
export function failureOf(code: string): { meaning: string; advice: string } | undefined {
  if (failures === undefined || !Object.hasOwn(failures, code)) return undefined
  const [meaning, advice] = failures[code as keyof Failures]
  return { meaning, advice }
}

/** For `t.rich`: what most texts mark. `<bdi>` stands around every text of others. */
export const marks = {
  bdi: (inside: ReactNode) => createElement('bdi', null, inside),
  code: (inside: ReactNode) => createElement('code', null, inside),
  strong: (inside: ReactNode) => createElement('strong', null, inside),
}

/** Characters that turn the direction of what follows. */
const TURNS = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g

/** Letters of scripts that are written from right to left. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * A text of others inside of a sentence that is no part of the page, such as a label, a toast or the title of the window: it
 * cannot turn what stands around it. In the page itself `<bdi>` does that.
 */
export function isolated(text: string): string {
  const still = text.replaceAll(TURNS, '')
  return FROM_THE_RIGHT.test(still) ? `\u2068${still}\u2069` : still
}
