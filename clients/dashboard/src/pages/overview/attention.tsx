import type { PaymentsAnswer } from '../../../../../src/dashboard/contract.ts'
import { Empty, Loading, Problem, Section } from '../../parts/page.tsx'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { PaymentTable } from '../payments/payment-table.tsx'

const SHOWN = '5'

/** Payments whose outcome nobody knows, or that staff have to look at; else the latest ones. */
export function NeedingAttention() {
  const { href } = useProject()
  const attention = useRead<PaymentsAnswer>('/dashboard/payments', {
    query: { needs_attention: 'true', limit: SHOWN },
    every: 60_000,
  })
  const latest = useRead<PaymentsAnswer>('/dashboard/payments', { query: { limit: SHOWN }, every: 60_000 })
  const urgent = attention.data?.payments ?? []
  return (
    <>
      {urgent.length > 0 && (
        <Section
          title="Needs attention"
          about="The outcome is not known yet, or a person has to decide."
          actions={<a href={href(['payments'], { needs_attention: 'true' })}>All of them</a>}
          flush
        >
          <PaymentTable payments={urgent} label="Payments that need attention" />
        </Section>
      )}
      <Section title="Latest payments" actions={<a href={href(['payments'])}>All payments</a>} flush>
        {latest.error && <Problem error={latest.error} retry={latest.refresh} />}
        {latest.data === undefined && !latest.error && <Loading />}
        {latest.data?.payments.length === 0 && <Empty title="No payments yet" />}
        {latest.data && latest.data.payments.length > 0 && (
          <PaymentTable payments={latest.data.payments} label="Latest payments" />
        )}
      </Section>
    </>
  )
}
