import type { ErrorCode } from '../../../domain/errors.ts'
import type { ApiContext } from '../../http/context.ts'
import { defineInput, problem, readInput } from '../../http/input/input.ts'
import { calendarDate } from '../../objects/instants.ts'

const CODE = 'request.validation.invalid-date' satisfies ErrorCode

const RANGE = defineInput(() => ({ from: calendarDate, until: calendarDate }), {
  from: { invalid: CODE, missing: CODE },
  until: { invalid: CODE, missing: CODE },
})

export const EXPORT_PARAMETERS: readonly string[] = RANGE.names

/**
 * The time span of an export: from an instant on, until before another one. A date is its beginning in UTC.
 *
 * @throws ApiError 400 for a span that ends before it begins.
 */
export function readExportRange(ctx: ApiContext): { from: Date; until: Date } {
  const given = Object.fromEntries(RANGE.names.map((name) => [name, ctx.query[name]]))
  return readInput(RANGE, { fields: given, isForm: true }, (fields) => {
    const [from, until] = [calendarDate.safeParse(fields.from).data, calendarDate.safeParse(fields.until).data]
    if (from === undefined || until === undefined) return []
    return until > from ? [] : [problem('until', 'must lie after from', CODE)]
  })
}
