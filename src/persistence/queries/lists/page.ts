/**
 * Rows of a list are counted up to this number. An exact count would take longer than the rest of the page, and a second
 * for millions of rows.
 */
export const TOTAL_COUNT_MAX = 10_000

/** The requested part of a list. The cursor is the id of the row next to the page, which is not part of it. */
export interface PageRequest {
  limit: number
  order: 'asc' | 'desc'
  cursor: { side: 'after' | 'before'; id: string } | null
  /** How long the database may look for it; absent: as long as for any statement. */
  withinMs?: number
}

export interface Page<Row> {
  /** In the requested order, on either side of the cursor. */
  rows: Row[]
  /** True where more rows follow in reading direction, away from the cursor. */
  hasMore: boolean
  /** The number of rows on all pages, up to `TOTAL_COUNT_MAX`. */
  totalCount: number
  /** True where the list has more rows than `totalCount`. */
  isTotalCapped: boolean
}
