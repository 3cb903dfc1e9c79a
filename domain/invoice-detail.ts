import type { ErrorCode } from './errors.ts'

/** What one line of an invoice costs: the money columns of an invoice detail, in minor units of its currency. */
export interface DetailAmounts {
  amountMinor: number
  quantity: number
  /** Taken off the whole line, not off each piece. */
  discountMinor?: number | null | undefined
}

export function lineAmountMinor({ amountMinor, quantity, discountMinor }: DetailAmounts): number {
  return amountMinor * quantity - (discountMinor ?? 0)
}

/**
 * What the lines chosen for a capture or a refund come to, or why they cannot be chosen: a message that goes on from the
 * name of the field that chose them.
 */
export type Selection = { kind: 'sum'; amountMinor: number } | { kind: 'problem'; code: ErrorCode; message: string }

/**
 * Adds up the lines with these ids. `isTaken` tells of a line that the step has dealt with before: each line is
 * captured once and refunded once.
 */
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
