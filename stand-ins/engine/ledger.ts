/** What the gateway has done, and nothing that it has refused. */
export interface Entry {
  kind: 'authorization' | 'capture' | 'void' | 'increment' | 'refund' | 'dispute' | 'dispute-won' | 'dispute-lost'
  /** The reference of the call; null for what the gateway did by itself. */
  reference: string | null
  invoice_id: string | null
  /** The gateway's id of the authorization. */
  payment: string
  /** In the gateway's smallest unit. */
  amount_minor: number
  currency: string
  at: string
}

export type NewEntry = Omit<Entry, 'at'>

export function openLedger() {
  const entries: Entry[] = []
  return {
    entries,
    enter: (entry: NewEntry): void => void entries.push({ ...entry, at: new Date().toISOString() }),
    /** The authorization with this reference, or with this id of the gateway. */
    authorization: (name: string): Entry | undefined =>
      entries.find(
        ({ kind, reference, payment }) => kind === 'authorization' && (reference === name || payment === name),
      ),
  }
}

export type Ledger = ReturnType<typeof openLedger>
