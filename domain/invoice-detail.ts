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

/** Adds up the lines with these ids. `hindranceOf`: why a line cannot be chosen, continuing its id; null if it can. */
export function selectionAmountMinor<Detail extends DetailAmounts & { id: string }>(
  details: readonly Detail[],
  ids: readonly string[],
  hindranceOf: (detail: Detail) => string | null = () => null,
): Selection {
  let amountMinor = 0
  const chosen = new Set<string>()
  for (const id of ids) {
    const detail = details.find((candidate) => candidate.id === id)
    if (detail === undefined)
      return problem('request.validation.invalid-id', `names ${id}, which is not a detail of this invoice`)
    if (chosen.has(id)) return problem('request.validation.invalid-id', `names ${id} twice`)
    const hindrance = hindranceOf(detail)
    if (hindrance !== null) return problem('request.validation.invalid-state', `names ${id}, which ${hindrance}`)
    chosen.add(id)
    amountMinor += lineAmountMinor(detail)
  }
  return { kind: 'sum', amountMinor }
}

/** How far a line was captured and refunded by its id. */
export interface DetailProgress extends DetailAmounts {
  capturedMinor: number
  captureOperationId?: string | null | undefined
  refundOperationId?: string | null | undefined
}

export type DetailStep = 'capture' | 'refund'

const CHOSEN_BEFORE = 'was chosen before'

/**
 * Why a line of an invoice cannot be captured or refunded; null if it can. A line is captured once and refunded once. Once a
 * capture has named lines, only captured lines are refunded by line: the money of the others was released. Example: of lines
 * a and b, a was captured by its id; the refund of b would give back a's money.
 */
export function detailHindrance(
  step: DetailStep,
  detail: DetailProgress,
  all: readonly DetailProgress[],
): string | null {
  if (step === 'capture') return detail.captureOperationId != null ? CHOSEN_BEFORE : null
  if (detail.refundOperationId != null) return CHOSEN_BEFORE
  return all.some(isCaptured) && !isCaptured(detail) ? 'was not captured' : null
}

function isCaptured(detail: DetailProgress): boolean {
  return detail.captureOperationId != null && detail.capturedMinor === lineAmountMinor(detail)
}

function problem(code: ErrorCode, message: string): Selection {
  return { kind: 'problem', code, message }
}
