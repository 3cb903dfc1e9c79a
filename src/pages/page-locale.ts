import type { ApiContext } from '../http/context.ts'
import { acceptedLanguages } from './accepted-languages.ts'
import { type PageLocale, pageLocaleOf } from './hosted-page-texts.ts'

/** What the customer's browser wants to read; the answer says that it depends on that. */
export function pageLocaleFor(ctx: ApiContext): PageLocale {
  ctx.vary('Accept-Language')
  return pageLocaleOf(acceptedLanguages(ctx.get('Accept-Language')))
}
