import type { PaymentsAnswer } from '../../../../../src/dashboard/contract.ts'
import { Empty, Loading, Problem, Section } from '../../parts/page.tsx'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'
import { queryOf } from '../payments/filter-fields.ts'
import { PaymentTable } from '../payments/payment-table.tsx'
import { paymentsOf, type Span } from './span.ts'

const SHOWN = '5'

/** Payments that a person has to look at, whenever they were made, and the latest ones of the time and currency that are shown. */
export function NeedingAttention({ span, currency }: { span: Span; currency: string | undefined }) {
  const { href } = useProject()
  const attention = useRead<PaymentsAnswer>('/dashboard/payments', {
    query: { needs_attention: 'true', limit: SHOWN },
    every: 60_000,
  })
  const shown = paymentsOf(span, currency)
  const latest = useRead<PaymentsAnswer>('/dashboard/payments', {
    query: { ...queryOf(shown), limit: SHOWN },
    every: 60_000,
  })
  const urgent = attention.data?.payments ?? []
  return (
    <>
      {urgent.length > 0 && (
        <Section
          title={t('overview.attention')}
          about={t('overview.attentionAbout')}
          actions={<a href={href(['payments'], { needs_attention: 'true' })}>{t('overview.allOfThem')}</a>}
          flush
        >
          <PaymentTable payments={urgent} label={t('overview.attentionLabel')} />
        </Section>
      )}
      <Section
        title={t('overview.latest')}
        actions={<a href={href(['payments'], shown)}>{t('overview.allOfTime')}</a>}
        flush
      >
        {latest.error && <Problem error={latest.error} retry={latest.refresh} />}
        {latest.data === undefined && !latest.error && <Loading />}
        {latest.data?.payments.length === 0 && <Empty title={t('overview.nothingThen')} />}
        {latest.data && latest.data.payments.length > 0 && (
          <PaymentTable payments={latest.data.payments} label={t('overview.latest')} />
        )}
      </Section>
    </>
  )
}
