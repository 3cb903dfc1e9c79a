/** Lists of objects. On a narrow screen each row becomes a block, whose cells name their columns where they need it. */
import { Button, Table as MantineTable, Text, UnstyledButton } from '@mantine/core'
import { ArrowDownIcon, ArrowUpIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import type { ApiError } from '../service/api.ts'
import { t } from '../words/words.ts'
import { Loading, Problem } from './page.tsx'

export interface Column<Item> {
  title: string
  cell(item: Item): ReactNode
  /** Whether the title is for screen readers only. */
  isTitleHidden?: boolean
  align?: 'right'
  /** Where the list can be turned by this column: how it lies, and the button that turns it, named. */
  sort?: { order: 'asc' | 'desc'; label: string; turn(): void }
  /** Where the cell stands in the block of a narrow screen: beside the first one, below with the column's name, or nowhere. */
  narrow?: 'first' | 'beside' | 'below' | 'named' | 'left-out'
}

export interface TableProps<Item> {
  label: string
  columns: readonly Column<Item>[]
  items: readonly Item[]
  keyOf(item: Item): string
  /** Whether the items are about to be replaced. */
  isStale?: boolean
  /** What follows a row in full width, such as its details; null where there is nothing. */
  below?(item: Item): ReactNode
}

export function Table<Item>({ label, columns, items, keyOf, isStale = false, below }: TableProps<Item>) {
  return (
    <div className="table-frame" data-stale={isStale || undefined} aria-busy={isStale}>
      <MantineTable aria-label={label} className="table">
        <thead>
          <tr>
            {columns.map(({ title, align, isTitleHidden, sort }) => (
              <th
                key={title}
                scope="col"
                data-align={align}
                aria-sort={sort && (sort.order === 'asc' ? 'ascending' : 'descending')}
              >
                {sort ? (
                  <UnstyledButton className="sort" onClick={sort.turn} aria-label={sort.label}>
                    {title} {sort.order === 'asc' ? <ArrowUpIcon /> : <ArrowDownIcon />}
                  </UnstyledButton>
                ) : isTitleHidden ? (
                  <span className="hidden-words">{title}</span>
                ) : (
                  title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => {
            const more = below?.(item)
            return [
              <tr key={keyOf(item)}>
                {columns.map(({ title, cell, align, narrow = 'named' }) => (
                  <td key={title} data-align={align} data-narrow={narrow} data-title={title}>
                    {cell(item)}
                  </td>
                ))}
              </tr>,
              more && (
                <tr key={`${keyOf(item)} below`} className="row-below">
                  <td colSpan={columns.length}>{more}</td>
                </tr>
              ),
            ]
          })}
        </tbody>
      </MantineTable>
    </div>
  )
}

/** A list that is read page by page: what there is, what is wrong, what there is no more. */
export function Listing<Item>({
  listing,
  empty,
  more = t('common.showMore'),
  note,
  ...table
}: Omit<TableProps<Item>, 'items'> & {
  listing: {
    items: readonly Item[] | undefined
    error: ApiError | undefined
    isStale: boolean
    hasMore: boolean
    isReadingMore: boolean
    readMore(): void
    refresh(): unknown
  }
  empty: ReactNode
  more?: string
  /** Beside the button for more. */
  note?: ReactNode
}) {
  const { items, error, isStale, hasMore, isReadingMore, readMore, refresh } = listing
  if (items === undefined) return error ? <Problem error={error} retry={refresh} /> : <Loading lines={8} />
  return (
    <>
      {items.length === 0 && !hasMore ? empty : <Table {...table} items={items} isStale={isStale} />}
      {error && <Problem error={error} retry={refresh} />}
      {(hasMore || note) && (
        <div className="table-foot">
          {hasMore && (
            <Button variant="default" size="xs" loading={isReadingMore} onClick={readMore}>
              {more}
            </Button>
          )}
          {note && (
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          )}
        </div>
      )}
    </>
  )
}
