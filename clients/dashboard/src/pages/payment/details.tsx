import type { ReactNode } from 'react'
import type { PaymentTimeline } from '../../../../../src/dashboard/contract.ts'
import type { Invoice, Transaction } from '../../../../node/src/generated/schemas.ts'
import { Section } from '../../parts/page.tsx'
import { CardName, Facts, Id, Instant, Nothing, Outside } from '../../parts/values.tsx'
import { useProject } from '../../service/session.tsx'
import { money } from '../../words/format.ts'

type Fact = readonly [string, ReactNode]

/** Who, with what, where, and the ids to ask for. */
export function Details({
  invoice,
  workflow,
}: {
  invoice: Invoice
  workflow: PaymentTimeline['workflow'] | undefined
}) {
  const { transaction } = invoice
  const metadata = Object.entries(invoice.metadata ?? {})
  return (
    <div className="stack">
      <Section title="Details">
        <Facts facts={[...whoOf(invoice), ...(transaction ? withWhatOf(transaction) : [])]} />
      </Section>
      {transaction && <Route transaction={transaction} />}
      {invoice.details && (
        <Section title="Lines">
          <Facts
            facts={invoice.details.map(({ id, name, quantity, amount }) => [
              quantity === 1 ? name : `${quantity} × ${name}`,
              <span key={id}>{money(amount, invoice.currency)}</span>,
            ])}
          />
        </Section>
      )}
      <Section title="References">
        <Facts
          facts={[
            ['Invoice', <Id key="invoice" id={invoice.id} label="the id of the invoice" />],
            ...(transaction
              ? [
                  [
                    'Transaction',
                    <Id key="transaction" id={transaction.id} label="the id of the transaction" />,
                  ] as const,
                ]
              : []),
            ...(invoice.reference_id ? [['Reference', <Id key="reference" id={invoice.reference_id} />] as const] : []),
            ['Workflow', <Workflow key="workflow" workflow={workflow} />],
          ]}
        />
      </Section>
      {metadata.length > 0 && (
        <Section title="Metadata">
          <Facts facts={metadata.map(([name, value]) => [name, String(value)])} />
        </Section>
      )}
    </div>
  )
}

function Workflow({ workflow }: { workflow: PaymentTimeline['workflow'] | undefined }) {
  if (workflow === undefined) return <Nothing />
  if (workflow.url === null) return <Id id={workflow.id} label="the id of the workflow" />
  return <Outside href={workflow.url}>History in Temporal</Outside>
}

function whoOf(invoice: Invoice): Fact[] {
  const customer = invoice.transaction?.customer ?? invoice.customer
  const name = [customer?.first_name, customer?.last_name].filter(Boolean).join(' ')
  return [
    ['Created', <Instant key="created" at={invoice.created_at} seconds />],
    ['Customer', customer ? [name, customer.email].filter(Boolean).join(', ') || customer.id : <Nothing key="none" />],
  ]
}

function withWhatOf({ card, three_d_s_status, three_d_s_version, liability_shift }: Transaction): Fact[] {
  const facts: Fact[] = []
  if (card !== null) {
    facts.push(['Card', <CardName key="card" scheme={card.scheme} last4={card.last_4_digits} />])
    const origin = [card.bank_name, card.type, card.country_code].filter(Boolean).join(' · ')
    facts.push(['Card type', origin === '' ? <Nothing key="origin" /> : origin])
    facts.push(['Expires', `${String(card.exp_month).padStart(2, '0')} / ${card.exp_year}`])
    if (card.name) facts.push(['Holder', card.name])
  }
  if (three_d_s_status !== null) {
    const liability = liability_shift ? 'the issuer is liable' : 'the merchant is liable'
    facts.push([
      '3-D Secure',
      `${three_d_s_status.replaceAll('_', ' ')}${three_d_s_version ? ` (${three_d_s_version})` : ''}, ${liability}`,
    ])
  }
  return facts
}

function Route({ transaction }: { transaction: Transaction }) {
  const { href } = useProject()
  const { gateway_configuration, gateway_name, rule_set_version, routing_tags } = transaction
  return (
    <Section title="Route">
      <Facts
        facts={[
          [
            'Gateway',
            gateway_configuration ? (
              <a key="gateway" href={href(['gateways', gateway_configuration.id])}>
                {gateway_configuration.name}
              </a>
            ) : (
              (gateway_name ?? <Nothing key="none" />)
            ),
          ],
          ['Rules', rule_set_version === null ? 'None applied' : `Version ${rule_set_version}`],
          ...(routing_tags.length > 0 ? [['Tags', routing_tags.join(', ')] as const] : []),
        ]}
      />
    </Section>
  )
}
