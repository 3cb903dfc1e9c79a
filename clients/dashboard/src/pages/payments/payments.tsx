import { Button } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import { useEffect } from 'react'
import type { ListedPayment, PaymentsAnswer } from '../../../../../src/dashboard/contract.ts'
import { DownloadLine } from '../../parts/download-line.tsx'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { say } from '../../parts/said.ts'
import { Listing } from '../../parts/table.tsx'
import { addressOf } from '../../service/api.ts'
import { useDownload } from '../../service/download.ts'
import { useReadPages } from '../../service/read-pages.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { count, instant } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { ColumnChoice, useColumnChoice } from './column-choice.tsx'
import { fileNameOf, filtersIn, queryOf } from './filter-fields.ts'
import { AttentionMeaning, Filters, NoneFound } from './filters.tsx'
import { paymentColumns } from './payment-table.tsx'
import { usePaymentSums } from './sums.ts'
import { Total } from './total.tsx'

const nextOf = ({ next }: PaymentsAnswer) => next

const PAGE = 25
/** A page that is not full is read on by itself, by so many calls. */
const CALLS_MAX = 10

export function Payments({ query }: { query: URLSearchParams }) {
  const { href } = useProject()
  const filters = filtersIn(query)
  const { order, ...search } = filters
  const asked = queryOf(filters)
  const isFiltered = Object.keys(search).length > 0
  const { pages, ...listing } = useReadPages<PaymentsAnswer>(
    '/dashboard/payments',
    { ...asked, limit: String(PAGE) },
    nextOf,
  )
  const sums = usePaymentSums(queryOf(search))
  const [shown, choose] = useColumnChoice()
  const download = useDownload()
  const isOldestFirst = order === 'asc'
  const columns = paymentColumns(shown, {
    order: isOldestFirst ? 'asc' : 'desc',
    label: t('payments.column.sorted', { column: t('payments.column.created'), order: isOldestFirst ? 'asc' : 'desc' }),
    turn: () => go(href(['payments'], { ...search, order: isOldestFirst ? undefined : 'asc' })),
  })
  const payments = pages?.flatMap((page) => page.payments)
  const searchedTo = pages?.at(-1)?.searched_to ?? null
  const { hasMore, isReadingMore, readMore } = listing
  const isShort = hasMore && searchedTo !== null && (payments?.length ?? 0) < PAGE && (pages?.length ?? 0) < CALLS_MAX
  useEffect(() => {
    if (isShort && !isReadingMore) readMore()
  }, [isShort, isReadingMore, readMore])
  async function exportAll() {
    const name = fileNameOf(filters)
    if (await download.start(addressOf('/dashboard/payments.csv', asked), name)) say(t('payments.file.done', { name }))
  }
  const total = sums.next === null ? sums.count : null
  const written = (records: number) =>
    total === null
      ? t('payments.file.reading', { count: records })
      : t('payments.file.readingOf', { count: count(records), total })
  const looked = isOldestFirst ? 'payments.lookedUntil' : 'payments.lookedSince'
  return (
    <Page
      title={t('payments.title')}
      about={t(isOldestFirst ? 'payments.oldestFirst' : 'payments.newestFirst')}
      actions={
        <Button
          variant="default"
          leftSection={<DownloadIcon />}
          onClick={() => void exportAll()}
          disabled={download.records !== null || !payments?.length}
        >
          {t('payments.file.export')}
        </Button>
      }
    >
      <DownloadLine download={download} total={total} words={written} />
      <Filters filters={filters} />
      {filters.needs_attention && <AttentionMeaning />}
      <Section
        title={t(isFiltered ? 'payments.found' : 'payments.all')}
        flush
        actions={<ColumnChoice shown={shown} choose={choose} />}
      >
        <Total {...sums} from={filters.created_from} to={filters.created_to} />
        <Listing<ListedPayment>
          label={t('payments.title')}
          columns={columns}
          keyOf={({ invoice_id }) => invoice_id}
          listing={{ ...listing, items: payments }}
          more={t(searchedTo === null ? 'common.showMore' : 'payments.further')}
          note={searchedTo === null ? null : t(looked, { instant: instant(searchedTo) })}
          empty={
            isFiltered ? (
              <NoneFound filters={search} />
            ) : (
              <Empty title={t('payments.none')}>{t('payments.noneAdvice')}</Empty>
            )
          }
        />
      </Section>
    </Page>
  )
}
