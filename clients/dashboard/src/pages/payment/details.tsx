import type { ReactNode } from 'react'
import type { PaymentTimeline } from '../../../../../src/dashboard/contract.ts'
import type { Invoice, Transaction } from '../../../../node/src/generated/schemas.ts'
import { Section } from '../../parts/page.tsx'
import { CardName, Facts, Id, Instant, Nothing, Outside } from '../../parts/values.tsx'
import { useProject } from '../../service/session.tsx'
import { money } from '../../words/format.ts'
import { capitalized, cardTypeWords } from '../../words/status.ts'
import { t } from '../../words/words.ts'

type Fact = readonly [string, ReactNode]

/** Who, with what, where, and the ids to ask for. */
export function Details({
  invoice,
  standing,
}: {
  invoice: Invoice
  /** Undefined until it is read. */
  standing: PaymentTimeline | undefined
}) {
  const { transaction } = invoice
  const metadata = Object.entries(invoice.metadata ?? {})
  return (
    <div className="stack">
      <Section title={t('payment.details.title')}>
        <Facts facts={[...whoOf(invoice, standing), ...(transaction ? withWhatOf(transaction, standing) : [])]} />
      </Section>
      {transaction && <Route transaction={transaction} />}
      {invoice.details && (
        <Section title={t('payment.details.lines')}>
          <div className="lines">
            <Facts
              facts={invoice.details.map(({ id, name, quantity, amount }) => [
                <bdi key={id}>{name}</bdi>,
                `${quantity === 1 ? '' : `${quantity} × `}${money(amount, invoice.currency)}`,
              ])}
            />
          </div>
        </Section>
      )}
      <Section title={t('payment.details.references')}>
        <Facts
          facts={[
            [t('payment.details.invoice'), <Id key="invoice" id={invoice.id} label={t('payment.details.invoiceId')} />],
            ...(transaction
              ? [
                  [
                    t('payment.details.transaction'),
                    <Id key="transaction" id={transaction.id} label={t('payment.details.transactionId')} />,
                  ] as const,
                ]
              : []),
            ...(invoice.reference_id
              ? [[t('payment.details.reference'), <Id key="reference" id={invoice.reference_id} />] as const]
              : []),
            [t('payment.details.workflow'), <Workflow key="workflow" workflow={standing?.workflow} />],
          ]}
        />
      </Section>
      {metadata.length > 0 && (
        <Section title={t('payment.details.metadata')}>
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

function Workflow({ workflow }: { workflow: PaymentTimeline['workflow'] | undefined }) {
  if (workflow === undefined) return <Nothing />
  if (workflow.url === null) return <Id id={workflow.id} label={t('payment.details.workflowId')} />
  return <Outside href={workflow.url}>{t('payment.details.history')}</Outside>
}

function CustomerLink({ customer }: { customer: NonNullable<Invoice['customer']> }) {
  const { href } = useProject()
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(' ')
  return (
    <span className="two-lines">
      <a href={href(['customers', customer.id])}>
        <bdi>{name || customer.email || customer.id}</bdi>
      </a>
      {name !== '' && customer.email && (
        <small>
          <bdi>{customer.email}</bdi>
        </small>
      )}
    </span>
  )
}

function whoOf(invoice: Invoice, standing: PaymentTimeline | undefined): Fact[] {
  const customer = invoice.transaction?.customer ?? invoice.customer
  const deletedAt = standing?.customer_deleted_at
  return [
    [t('common.created'), <Instant key="created" at={invoice.created_at} seconds />],
    [
      t('payment.details.customer'),
      customer ? (
        <CustomerLink key="customer" customer={customer} />
      ) : deletedAt ? (
        <Deleted key="deleted" at={deletedAt} />
      ) : (
        <Nothing key="none" />
      ),
    ],
  ]
}

const Deleted = ({ at }: { at: string }) => t.rich('payment.details.deleted', { at: () => <Instant at={at} /> })

function withWhatOf(
  { card, three_d_s_status, three_d_s_version, liability_shift }: Transaction,
  standing: PaymentTimeline | undefined,
): Fact[] {
  const facts: Fact[] = []
  const left = standing?.card
  if (card === null && left?.deleted_at)
    facts.push([
      t('payment.details.card'),
      <span key="card" className="two-lines">
        <CardName scheme={left.scheme} last4={left.last_4_digits} />
        <small>
          <Deleted at={left.deleted_at} />
        </small>
      </span>,
    ])
  if (card !== null) {
    facts.push([t('payment.details.card'), <CardName key="card" scheme={card.scheme} last4={card.last_4_digits} />])
    const origin = [card.bank_name, card.type && cardTypeWords(card.type), card.country_code]
      .filter(Boolean)
      .join(' · ')
    facts.push([
      t('payment.details.cardType'),
      origin === '' ? <Nothing key="origin" /> : <bdi key="origin">{origin}</bdi>,
    ])
    facts.push([t('payment.details.expires'), `${String(card.exp_month).padStart(2, '0')} / ${card.exp_year}`])
    if (card.name) facts.push([t('payment.details.holder'), <bdi key="holder">{card.name}</bdi>])
  }
  if (three_d_s_status !== null) {
    const liability = liability_shift ? t('payment.details.issuerLiable') : t('payment.details.merchantLiable')
    facts.push([
      t('payment.details.threeDS'),
      t('payment.details.threeDSOf', {
        result: t(`payment.threeDS.${three_d_s_status}`),
        version: three_d_s_version ?? 'none',
        liability,
      }),
    ])
  }
  return facts
}

function Route({ transaction }: { transaction: Transaction }) {
  const { href } = useProject()
  const { gateway_configuration, gateway_name, rule_set_version, routing_tags } = transaction
  return (
    <Section title={t('payment.details.route')}>
      <Facts
        facts={[
          [
            t('payment.details.gateway'),
            gateway_configuration ? (
              <a key="gateway" href={href(['gateways', gateway_configuration.id])}>
                <bdi>{gateway_configuration.name}</bdi>
              </a>
            ) : gateway_name ? (
              capitalized(gateway_name)
            ) : (
              <Nothing key="none" />
            ),
          ],
          [
            t('payment.details.rules'),
            rule_set_version === null
              ? t('payment.details.noRules')
              : t('payment.details.version', { version: String(rule_set_version) }),
          ],
          ...(routing_tags.length > 0
            ? [[t('payment.details.tags'), <bdi key="tags">{routing_tags.join(', ')}</bdi>] as const]
            : []),
        ]}
      />
    </Section>
  )
}
