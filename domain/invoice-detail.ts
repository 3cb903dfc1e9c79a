import type { ErrorCode } from './errors.ts'

/** The price of one invoice line: the money columns of an invoice detail, in minor units of its currency. */
export interface DetailAmounts {
  amountMinor: number
  quantity: number
  /** A discount on the whole line, not on each piece. */
  discountMinor?: number | null | undefined
}

export function lineAmountMinor({ amountMinor, quantity, discountMinor }: DetailAmounts): number {
  return amountMinor * quantity - (discountMinor ?? 0)
}

/**
 * The amount of the lines chosen for a capture or a refund, or why they cannot be chosen. The message continues the name of
 * the request field.
 */
export type Selection = { kind: 'sum'; amountMinor: number } | { kind: 'problem'; code: ErrorCode; message: string }

/** Adds up the lines with these ids. `isTaken`: the line was captured, or refunded, before; each line only once. */
export function selectionAmountMinor<Detail extends DetailAmounts & { id: string }>(
  details: readonly Detail[],
  ids: readonly string[],
  isTaken: (detail: Detail) => boolean = () => false,
): Selection {
  let amountMinor = 0
  const chosen = new Set<string>()
  for (const id of ids) {
    const detail = details.find((candidate) => candidate.id === id)
    if (detail === undefined)
      return problem('request.validation.invalid-id', `names ${id}, which is not a detail of this invoice`)
    if (chosen.has(id)) return problem('request.validation.invalid-id', `names ${id} twice`)
    if (isTaken(detail)) return problem('request.validation.invalid-state', `names ${id}, which was chosen before`)
    chosen.add(id)
    amountMinor += lineAmountMinor(detail)
  }
  return { kind: 'sum', amountMinor }
}

function problem(code: ErrorCode, message: string): Selection {
  return { kind: 'problem', code, message }
}
