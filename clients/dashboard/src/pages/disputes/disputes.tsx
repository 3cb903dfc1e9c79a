/** Disputes of all payments: what must be answered first, and what became of the others. */
import { SegmentedControl } from '@mantine/core'
import type { DisputesAnswer } from '../../../../../src/dashboard/contract.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { type Column, Listing } from '../../parts/table.tsx'
import { Deadline, Instant, Nothing, ZonedInstant } from '../../parts/values.tsx'
import { useReadPages } from '../../service/read-pages.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { endOfDeadline } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { PaymentLink, Two } from '../payments/payment-cells.tsx'
import { isOver, reasonWords, statusWords, toneOf } from './dispute-words.ts'

type Dispute = DisputesAnswer['disputes'][number]

const nextOf = ({ next }: DisputesAnswer) => (next === null ? null : String(next))

const STATES = ['today', 'week', 'open', 'all'] as const

/** Of those that are due soon: in how many days at most. */
const DAYS_LEFT: Readonly<Partial<Record<(typeof STATES)[number], number>>> = { today: 0, week: 7 }

export function Disputes({ query }: { query: URLSearchParams }) {
  const { href } = useProject()
  const state = STATES.find((one) => one === query.get('state')) ?? 'open'
  const days = DAYS_LEFT[state]
  const asked = {
    state: state === 'all' ? 'all' : 'open',
    due_before: days === undefined ? days : endOfDeadline(Date.now(), days).toISOString(),
  }
  const { pages, ...listing } = useReadPages<DisputesAnswer>('/dashboard/disputes', asked, nextOf)
  return (
    <Page
      title={t('disputes.title')}
      about={t('disputes.about')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('disputes.shown')}
          value={state}
          onChange={(value) => go(href(['disputes'], value === 'open' ? {} : { state: value }))}
          data={STATES.map((value) => ({ value, label: t(`disputes.states.${value}`) }))}
        />
      }
    >
      <Section title={t(`disputes.of.${state}`)} flush>
        <Listing<Dispute>
          label={t('disputes.title')}
          columns={columns()}
          keyOf={({ invoice_id, reported_at, status }) => `${invoice_id} ${reported_at} ${status}`}
          listing={{ ...listing, items: pages?.flatMap(({ disputes }) => disputes) }}
          empty={
            state === 'all' ? (
              <Empty title={t('disputes.none')}>{t('disputes.noneAbout')}</Empty>
            ) : (
              <Empty title={t(`disputes.no.${state}`)}>
                {t(state === 'open' ? 'disputes.noneOpenAbout' : 'disputes.noneDueAbout')}
              </Empty>
            )
          }
        />
      </Section>
    </Page>
  )
}

function columns(): readonly Column<Dispute>[] {
  return [
    {
      title: t('disputes.amount'),
      align: 'right',
      narrow: 'first',
      cell: ({ invoice_id, amount, currency }) => <PaymentLink id={invoice_id} amount={amount} currency={currency} />,
    },
    {
      title: t('common.status'),
      narrow: 'beside',
      cell: (dispute) => <ToneBadge tone={toneOf(dispute)}>{statusWords(dispute)}</ToneBadge>,
    },
    { title: t('disputes.due'), narrow: 'named', cell: (dispute) => <Due dispute={dispute} /> },
    { title: t('disputes.reason'), narrow: 'below', cell: (dispute) => <Reason dispute={dispute} /> },
    {
      title: t('common.payment'),
      narrow: 'below',
      cell: ({ name, order_id }) => <Two first={name} second={order_id} />,
    },
    {
      title: t('disputes.customer'),
      narrow: 'below',
      cell: ({ customer_name }) => <Two first={customer_name} second={null} />,
    },
  ]
}

function Reason({ dispute: { reason, reported_at: at } }: { dispute: Dispute }) {
  return (
    <span className="two-lines">
      <bdi>{reasonWords(reason)}</bdi>
      {at !== null && <small>{t.rich('disputes.reported', { at: () => <Instant at={at} /> })}</small>}
    </span>
  )
}

function Due({ dispute }: { dispute: Dispute }) {
  const { evidence_due_at: at, is_answerable } = dispute
  if (!is_answerable) return <Nothing />
  if (at === null) return t('disputes.noDeadline')
  return (
    <span className="two-lines">
      {isOver(dispute) ? (
        t('disputes.over')
      ) : (
        <strong>
          <Deadline at={at} />
        </strong>
      )}
      <small>
        <ZonedInstant at={at} />
      </small>
    </span>
  )
}
