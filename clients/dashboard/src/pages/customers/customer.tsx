/** One customer: stored cards, payments, what is known, and deletion. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { PaymentsAnswer } from '../../../../../src/dashboard/contract.ts'
import type { Customer, Token } from '../../../../node/src/generated/schemas.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { Empty, Loading, Page, Problem, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { CardName, Facts, Id, Instant, Nothing } from '../../parts/values.tsx'
import { type List, useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { shortIds } from '../../words/format.ts'
import { capitalized } from '../../words/status.ts'
import { t } from '../../words/words.ts'
import { PaymentTable } from '../payments/payment-table.tsx'
import { DeleteDialog } from './delete-dialog.tsx'

export function CustomerPage({ id }: { id: string }) {
  const { can } = useProject()
  const [isDeleting, setIsDeleting] = useState(false)
  const { data, error, refresh } = useRead<{ customer: Customer }>(`/customers/${encodeURIComponent(id)}`)
  const customer = data?.customer
  const back = { path: ['customers'], words: t('customers.title') }
  if (customer === undefined)
    return (
      <Page title={t('customers.customer')} back={back}>
        {error ? <Problem error={error} retry={refresh} /> : <Loading lines={10} />}
      </Page>
    )
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(' ')
  const title = name || customer.email || t('customers.unnamed')
  return (
    <Page
      title={title}
      heading={<bdi>{title}</bdi>}
      about={name !== '' && customer.email ? <bdi>{customer.email}</bdi> : null}
      back={back}
      actions={
        can('payments') && (
          <Button variant="default" color="red" onClick={() => setIsDeleting(true)}>
            {t('customers.delete')}
          </Button>
        )
      }
      mayChange={can('payments')}
    >
      {error && <Problem error={error} retry={refresh} />}
      <div className="payment-columns">
        <div className="stack">
          <Cards customerId={customer.id} />
          <Payments customerId={customer.id} />
        </div>
        <Known customer={customer} />
      </div>
      {isDeleting && <DeleteDialog customer={customer} title={title} onClose={() => setIsDeleting(false)} />}
    </Page>
  )
}

function Cards({ customerId }: { customerId: string }) {
  const { data, error, refresh } = useRead<List<'tokens', Token>>(
    `/customers/${encodeURIComponent(customerId)}/tokens`,
    { query: { expand: 'card', limit: '100' } },
  )
  const tokens = data?.tokens
  return (
    <Section title={t('customers.cards')} flush>
      {error && <Problem error={error} retry={refresh} />}
      {tokens === undefined && !error && <Loading lines={3} />}
      {tokens?.length === 0 && <Empty title={t('customers.noCards')}>{t('customers.noCardsAbout')}</Empty>}
      {tokens !== undefined && tokens.length > 0 && (
        <Table
          label={t('customers.cards')}
          items={tokens}
          keyOf={({ id }) => id}
          columns={[
            { title: t('customers.card'), narrow: 'first', cell: (token) => <Source token={token} /> },
            { title: t('common.status'), narrow: 'beside', cell: (token) => <Chargeable token={token} /> },
            { title: t('customers.expires'), narrow: 'named', cell: ({ card }) => expiryOf(card) ?? <Nothing /> },
            {
              title: capitalized(t('common.id')),
              narrow: 'left-out',
              cell: ({ id }) => <Id id={id} shown={shortIds(id)} label={t('customers.tokenIdOf')} />,
            },
            { title: t('common.created'), narrow: 'left-out', cell: ({ created_at }) => <Instant at={created_at} /> },
          ]}
        />
      )}
    </Section>
  )
}

function expiryOf(card: Token['card']): string | null {
  return card && `${String(card.exp_month).padStart(2, '0')} / ${card.exp_year}`
}

function Source({ token: { card, type, description, is_default } }: { token: Token }) {
  const OTHERS = {
    card: t('customers.card'),
    gateway_token: t('customers.gatewaySource'),
    bank_account: t('customers.bankAccount'),
    pending: t('customers.unfinished'),
  }
  // What it is called where nobody has described it says no more than the line above.
  const own = card && `${card.scheme} ${card.last_4_digits}`
  return (
    <span className="two-lines">
      <span>
        {card ? <CardName scheme={card.scheme} last4={card.last_4_digits} /> : OTHERS[type]}{' '}
        {is_default && <ToneBadge tone="neutral">{t('customers.default')}</ToneBadge>}
      </span>
      {description && description !== own && (
        <small>
          <bdi>{description}</bdi>
        </small>
      )}
    </span>
  )
}

function Chargeable({ token: { card, is_chargeable } }: { token: Token }) {
  const now = new Date()
  // A card can pay to the end of its month.
  const isExpired = card !== null && new Date(card.exp_year, card.exp_month) <= now
  if (isExpired) return <ToneBadge tone="bad">{t('customers.expired')}</ToneBadge>
  return is_chargeable ? (
    <ToneBadge tone="good">{t('customers.chargeable')}</ToneBadge>
  ) : (
    <ToneBadge tone="waiting">{t('customers.notChargeable')}</ToneBadge>
  )
}

const OF_CUSTOMER = ['amount', 'status', 'payment', 'created'] as const

function Payments({ customerId }: { customerId: string }) {
  const { href } = useProject()
  const { data, error, refresh } = useRead<PaymentsAnswer>('/dashboard/payments', {
    query: { search: customerId, limit: '10' },
  })
  return (
    <Section
      title={t(data?.next == null ? 'customers.payments' : 'customers.latestPayments')}
      actions={
        data?.next != null && <a href={href(['payments'], { search: customerId })}>{t('customers.allPayments')}</a>
      }
      flush
    >
      {error && <Problem error={error} retry={refresh} />}
      {data === undefined && !error && <Loading lines={3} />}
      {data?.payments.length === 0 && <Empty title={t('customers.noPayments')} />}
      {data !== undefined && data.payments.length > 0 && (
        <PaymentTable payments={data.payments} label={t('customers.payments')} columns={OF_CUSTOMER} />
      )}
    </Section>
  )
}

function Known({ customer }: { customer: Customer }) {
  const { phone, address1, address2, zip, city, state, country_code, is_business, registered_at } = customer
  const address = [address1, address2, [zip, city].filter(Boolean).join(' '), state, country_code].filter(Boolean)
  const number = phone?.number ? [phone.dialing_code, phone.number].filter(Boolean).join(' ') : null
  const metadata = Object.entries(customer.metadata ?? {})
  return (
    <div className="stack">
      <Section title={t('customers.details')}>
        <Facts
          facts={[
            [t('common.email'), customer.email ? <bdi key="email">{customer.email}</bdi> : <Nothing key="none" />],
            [t('customers.phone'), number ?? <Nothing key="none" />],
            [
              t('customers.address'),
              address.length === 0 ? <Nothing key="none" /> : <bdi key="address">{address.join(', ')}</bdi>,
            ],
            [t('customers.company'), is_business ? t('customers.yes') : t('customers.no')],
            [t('customers.since'), registered_at ? <Instant key="since" at={registered_at} /> : <Nothing key="none" />],
          ]}
        />
      </Section>
      <Section title={t('customers.references')}>
        <Facts
          facts={[
            [t('customers.customer'), <Id key="id" id={customer.id} label={t('customers.idOf')} />],
            [
              t('customers.reference'),
              customer.reference_id ? <Id key="reference" id={customer.reference_id} /> : <Nothing key="none" />,
            ],
          ]}
        />
      </Section>
      {metadata.length > 0 && (
        <Section title={t('customers.metadata')}>
          <Facts
            facts={metadata.map(([name, value]) => [
              <bdi key={name}>{name}</bdi>,
              <bdi key={name}>{String(value)}</bdi>,
            ])}
          />
        </Section>
      )}
    </div>
  )
}
