/** What has not arrived, at whatever address: endpoints, and those that single payments name. */
import { Alert } from '@mantine/core'
import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import { RETRIES_MAX } from '../../../../../domain/backoff.ts'
import type { Webhook, WebhookEndpoint } from '../../../../node/src/generated/schemas.ts'
import { type List, useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'
import { Deliveries, useDeliveries } from './deliveries.tsx'

const PATH = '/webhooks/undelivered'

/** @param endpoints undefined while they are read: to one that is off or gone nothing can be sent */
export function Undelivered({ endpoints }: { endpoints: readonly WebhookEndpoint[] | undefined }) {
  const deliveries = useDeliveries(PATH, { limit: '10', every: 15_000 })
  return (
    <Deliveries
      title={t('webhooks.undelivered.title')}
      about={t('webhooks.undelivered.about', { tries: RETRIES_MAX + 1 })}
      deliveries={deliveries}
      none={t(`webhooks.undelivered.none.${deliveries.status}`)}
      advice={t('webhooks.undelivered.advice')}
      takes={({ endpoint_id }) =>
        endpoint_id === null || (endpoints?.some(({ id, enabled }) => id === endpoint_id && enabled) ?? false)
      }
      hasAddresses
    />
  )
}

const DAYS = 30
const DAY_MS = 86_400_000

/**
 * How many webhooks of the last 30 days have not arrived. Those before are in the list alone: one to an address that is gone
 * for good would be counted for ever.
 */
export function useUndelivered(): { count: number; words: string } {
  const since = new Date(Date.now() - DAYS * DAY_MS).toISOString().slice(0, 10)
  const { data } = useRead<List<'webhooks', Webhook>>(PATH, {
    query: { limit: '1', filter: `created_at>=${since}` },
    every: 60_000,
  })
  const count = data?.total_count ?? 0
  const words = t(data?.total_count_capped ? 'webhooks.undelivered.more' : 'webhooks.undelivered.count', { count })
  return { count, words }
}

/** For the overview: nothing where everything has arrived. */
export function NotDelivered() {
  const { href } = useProject()
  const { count, words } = useUndelivered()
  if (count === 0) return null
  return (
    <Alert color="yellow" icon={<ExclamationTriangleIcon />} title={<a href={href(['webhooks'])}>{words}</a>}>
      {t('webhooks.undelivered.countAbout', { days: DAYS })}
    </Alert>
  )
}
