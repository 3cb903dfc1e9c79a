import { schemeOf } from '../../../domain/card-number.ts'
import { ApiError } from '../../http/api-error.ts'
import { type ApiMiddleware, callerOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'

/** The first digits of a card, which identify its issuer: six, and eight since 2022. Source: ISO/IEC 7812. */
const IIN = /^(?:\d{6}|\d{8})$/

/** The data of cards with these first digits: the scheme, and for test cards the issuer's data. */
export function retrieveIin({ describeTestIin }: Pick<AppDeps, 'describeTestIin'>): ApiMiddleware {
  return (ctx) => {
    const { iin = '' } = ctx.params
    const known = callerOf(ctx).sandbox ? describeTestIin(iin) : null
    const scheme = known?.scheme ?? schemeOf(iin)
    if (!IIN.test(iin) || scheme === 'unknown')
      throw new ApiError('resource.card.not-found', 'No card is known to begin with these digits.')
    const country = known?.countryCode ?? null
    ctx.body = {
      success: true,
      card_information: {
        iin,
        scheme,
        co_scheme: known?.coScheme ?? null,
        type: known?.type ?? null,
        bank_name: null,
        brand: null,
        category: null,
        country,
        country_code: country,
      },
    }
  }
}
