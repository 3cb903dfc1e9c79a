import type { Statistics } from '../../../../../src/dashboard/contract.ts'
import { Chart } from '../../parts/chart.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import type { RouteQuery } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { count, heightOf, instant, money, share, shortDay, shortMoney } from '../../words/format.ts'
import { codeWords } from '../../words/status.ts'
import { failureOf, t } from '../../words/words.ts'

interface Props {
  statistics: Statistics
  /** So many of the last days are shown. */
  days: number
}

export function Volume({ statistics, days }: Props) {
  const currency = statistics.currency ?? ''
  const amounts = [
    { name: t('overview.captured'), list: statistics.captured_amount.slice(-days), kind: 'bars', color: 1 },
    { name: t('overview.authorized'), list: statistics.authorized_amount.slice(-days), kind: 'line', color: 2 },
    { name: t('overview.refunded'), list: statistics.refunded_amount.slice(-days), kind: 'line', color: 3 },
  ] as const
  return (
    <Section
      title={t('overview.volume')}
      about={`${t('overview.volumeAbout', { currency })} ${t('overview.ownDay')}${countedWords(statistics)}`}
    >
      <Chart
        label={t('overview.volumeChart', { currency })}
        steps={statistics.days.slice(-days).map(shortDay)}
        series={amounts.map(({ name, list, kind, color }) => ({ name, kind, color, values: list.map(heightOf) }))}
        format={(_value, day, number) => money(amounts[number]?.list[day] ?? '0', currency)}
        formatAxis={(value) => shortMoney(String(value), currency)}
      />
    </Section>
  )
}

const FRESH_MS = 120_000

/** Until when payments are counted, where that is not as good as now. */
function countedWords({ counted_to }: Statistics): string {
  if (counted_to === null || Date.now() - Date.parse(counted_to) < FRESH_MS) return ''
  return ` ${t('overview.countedTo', { at: instant(counted_to) })}`
}

export function Approvals({ statistics, days }: Props) {
  const approved = statistics.approved.slice(-days)
  const declined = statistics.declined.slice(-days)
  const rates = approved.map((one, day) => {
    const all = one + (declined[day] ?? 0)
    return all === 0 ? null : one / all
  })
  return (
    <Section title={t('overview.approvalRate')} about={t('overview.approvalAbout')}>
      <Chart
        label={t('overview.approvalChart')}
        steps={statistics.days.slice(-days).map(shortDay)}
        series={[{ name: t('overview.approvalRate'), kind: 'area', color: 1, values: rates }]}
        format={(value, day) =>
          t('overview.approvalValue', {
            rate: share(value, 1),
            approved: count(approved[day] ?? 0),
            all: count((approved[day] ?? 0) + (declined[day] ?? 0)),
          })
        }
        formatAxis={(value) => share(value, 1)}
        most={1}
      />
    </Section>
  )
}

/** More colours than this cannot be told apart. */
const CODES_DRAWN = 5

export function Declines({ statistics, days, of }: Props & { of: RouteQuery }) {
  const { href } = useProject()
  const codes = statistics.declines
    .map(({ error_code, message, counts }) => {
      const shown = counts.slice(-days)
      return { code: error_code, message, shown, all: shown.reduce((sum, one) => sum + one, 0) }
    })
    .filter(({ all }) => all > 0)
    .toSorted((first, second) => second.all - first.all)
  const declined = codes.reduce((sum, { all }) => sum + all, 0)
  const others = codes.slice(CODES_DRAWN)
  const series = codes.slice(0, CODES_DRAWN).map(({ code, message, shown }, place) => {
    return { name: codeWords(code, message), kind: 'bars' as const, color: place + 1, values: shown }
  })
  if (others.length > 0) {
    const values = statistics.days
      .slice(-days)
      .map((_, day) => others.reduce((sum, { shown }) => sum + (shown[day] ?? 0), 0))
    series.push({ name: t('overview.otherCodes'), kind: 'bars', color: 6, values })
  }
  return (
    <Section title={t('overview.declines')} about={t('overview.declinesAbout')}>
      {codes.length === 0 ? (
        <Empty title={t('overview.noDeclines')}>{t('overview.noDeclinesAbout')}</Empty>
      ) : (
        <>
          <Chart
            label={t('overview.declinesChart')}
            steps={statistics.days.slice(-days).map(shortDay)}
            series={series}
            format={count}
            formatAxis={(value) => (Number.isInteger(value) ? count(value) : '')}
          />
          <Table
            label={t('overview.declines')}
            items={codes}
            keyOf={({ code }) => code}
            columns={[
              {
                title: t('overview.code'),
                narrow: 'first',
                cell: ({ code }) => <a href={href(['payments'], { ...of, error_code: code })}>{code}</a>,
              },
              {
                title: t('overview.meaning'),
                narrow: 'below',
                cell: ({ code, message }) => failureOf(code)?.meaning ?? message,
              },
              { title: t('overview.declined'), align: 'right', narrow: 'beside', cell: ({ all }) => count(all) },
              {
                title: t('overview.share'),
                align: 'right',
                narrow: 'left-out',
                cell: ({ all }) => share(all, declined),
              },
            ]}
          />
        </>
      )}
    </Section>
  )
}
