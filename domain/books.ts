/**
 * Our books compared with a gateway's own list of what it has booked. Only money that has moved counts: captures and
 * refunds. Authorizations and voids move none, so that a gateway that books a voided payment is told of as a capture that
 * is missing here.
 */

export const BOOKED_TYPES = ['capture', 'refund'] as const
export type BookedType = (typeof BOOKED_TYPES)[number]

/** A capture, a refund, or an authorization that took the money at once, as our books have it. */
export interface BookEntry {
  /** Our reference towards the gateway: the id of the attempt. */
  reference: string
  /** The gateway's id; several captures of one payment may share it. */
  gatewayReference: string | null
  type: BookedType
  /** `open` where the outcome is pending or unknown. */
  state: 'succeeded' | 'failed' | 'open'
  amountMinor: number
  currency: string
  /** When our books learned the state, in epoch ms. */
  at: number
}

/** What a gateway has booked. */
export interface SettlementLine {
  /** The gateway's id of this line. */
  id: string
  type: BookedType
  /** `reversed` takes back a capture or refund that was booked before, because it failed after all. */
  state: 'booked' | 'reversed'
  /** Our reference, where the gateway repeats it. */
  reference: string | null
  /** The gateway's id of the capture or refund. */
  gatewayReference: string | null
  amountMinor: number
  currency: string
  /** In epoch ms. */
  bookedAt: number
}

export const DIFFERENCE_KINDS = [
  'missing-at-gateway',
  'missing-in-books',
  'amount',
  'currency',
  'state',
  'twice',
] as const
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number]

/** At least one of both sides is there. Of several lines of one entry it is the last one. */
export interface Difference<Entry extends BookEntry = BookEntry, Line extends SettlementLine = SettlementLine> {
  kind: DifferenceKind
  entry: Entry | null
  line: Line | null
}

export interface Listed {
  /** Everything that the gateway booked before this instant has been listed, in epoch ms. */
  until: number
  /** How much later than the other side one may have the same thing. */
  graceMs: number
}

/**
 * Compares entries with all lines that name them. What may still be on its way is no difference: days end at the gateway
 * when they do not end here, so that a side is missing only once a list is complete that reaches beyond its period of grace.
 * An amount, a currency, or a final state does not change by waiting.
 */
export function compareBooks<Entry extends BookEntry, Line extends SettlementLine>(
  entries: readonly Entry[],
  lines: readonly Line[],
  listed: Listed,
): Difference<Entry, Line>[] {
  const linesOf = assign(entries, lines)
  const isDue = (at: number) => at + listed.graceMs < listed.until
  const unknown = Map.groupBy(linesOf.get(null) ?? [], ({ type, gatewayReference, reference, id }) => {
    return `${type} ${gatewayReference ?? reference ?? id}`
  })
  return [
    ...entries.flatMap((entry) => {
      const theirs = linesOf.get(entry) ?? []
      const kind = kindOf(entry, theirs, isDue(entry.at))
      return kind === null ? [] : [{ kind, entry, line: theirs.at(-1) ?? null }]
    }),
    ...[...unknown.values()]
      .flatMap(standing)
      .filter(({ bookedAt }) => isDue(bookedAt))
      .map((line) => ({ kind: 'missing-in-books' as const, entry: null, line })),
  ]
}

function kindOf(entry: BookEntry, lines: readonly SettlementLine[], isDue: boolean): DifferenceKind | null {
  const left = standing(lines)
  const [first] = left
  if (entry.state === 'succeeded' && lines.length === 0) return isDue ? 'missing-at-gateway' : null
  // It was booked and taken back, or never booked.
  if (first === undefined) return entry.state === 'succeeded' ? 'state' : null
  if (left.length > 1) return 'twice'
  if (entry.state === 'failed') return 'state'
  if (entry.state === 'open') return isDue ? 'state' : null
  if (first.currency !== entry.currency) return 'currency'
  return first.amountMinor === entry.amountMinor ? null : 'amount'
}

/** The booked lines of one step that no reversal takes back. A reversal takes back one of its amount, or else the last one. */
function standing<Line extends SettlementLine>(lines: readonly Line[]): Line[] {
  const left = lines.filter(({ state }) => state === 'booked')
  for (const reversal of lines.filter(({ state }) => state === 'reversed')) {
    const index = left.findLastIndex((line) => isSameAmount(line, reversal))
    left.splice(index === -1 ? Math.max(0, left.length - 1) : index, 1)
  }
  return left
}

/** The lines of each entry, in the order of their booking; under null those of none. */
function assign<Entry extends BookEntry, Line extends SettlementLine>(
  entries: readonly Entry[],
  lines: readonly Line[],
): Map<Entry | null, Line[]> {
  const byReference = new Map(entries.map((entry) => [`${entry.type} ${entry.reference}`, entry]))
  const byGateway = Map.groupBy(entries, ({ type, gatewayReference }) => `${type} ${gatewayReference}`)
  const assigned = new Map<Entry | null, Line[]>()
  const inOrder = lines.toSorted((one, other) => one.bookedAt - other.bookedAt || (one.id < other.id ? -1 : 1))
  for (const line of inOrder) {
    const named = byReference.get(`${line.type} ${line.reference}`)
    const known = line.gatewayReference === null ? [] : (byGateway.get(`${line.type} ${line.gatewayReference}`) ?? [])
    const entry = ofGateway(line, known, named, assigned) ?? named ?? null
    assigned.set(entry, [...(assigned.get(entry) ?? []), line])
  }
  return assigned
}

/**
 * The entry that the gateway's reference names. Of several captures that share it, it is the one with our reference, else
 * one of this amount without a line, else any without a line.
 */
function ofGateway<Entry extends BookEntry, Line extends SettlementLine>(
  line: Line,
  known: readonly Entry[],
  named: Entry | undefined,
  assigned: ReadonlyMap<Entry | null, readonly Line[]>,
): Entry | undefined {
  if (named !== undefined && known.includes(named)) return named
  const isFree = (entry: Entry) => standing(assigned.get(entry) ?? []).length === (line.state === 'booked' ? 0 : 1)
  const free = known.filter(isFree)
  return free.find((entry) => isSameAmount(entry, line)) ?? free[0] ?? known[0]
}

type Amount = Pick<BookEntry, 'amountMinor' | 'currency'>

function isSameAmount(one: Amount, other: Amount): boolean {
  return one.amountMinor === other.amountMinor && one.currency === other.currency
}
