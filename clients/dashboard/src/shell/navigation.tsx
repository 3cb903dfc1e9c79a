import { Badge, NavLink, Text } from '@mantine/core'
import {
  ActivityLogIcon,
  CardStackIcon,
  DashboardIcon,
  ExclamationTriangleIcon,
  GlobeIcon,
  IdCardIcon,
  LockClosedIcon,
  PaperPlaneIcon,
  PersonIcon,
  ReaderIcon,
  ShuffleIcon,
  StopwatchIcon,
} from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import type { SessionProject } from '../../../../src/dashboard/contract.ts'
import { useOpenDisputes } from '../pages/disputes/open-disputes.tsx'
import { useUndelivered } from '../pages/webhooks/undelivered.tsx'
import { useProject } from '../service/session.tsx'
import { t } from '../words/words.ts'

interface Entry {
  page: string
  words: string
  Icon: typeof PersonIcon
  isFor?: (project: SessionProject) => boolean
  /** What stands beside the words. */
  Beside?: () => ReactNode
}

const GROUPS: readonly { words: string | null; entries: readonly Entry[] }[] = [
  {
    words: null,
    entries: [
      { page: '', words: t('shell.entries.overview'), Icon: DashboardIcon },
      { page: 'payments', words: t('shell.entries.payments'), Icon: CardStackIcon },
      { page: 'disputes', words: t('shell.entries.disputes'), Icon: ExclamationTriangleIcon, Beside: ToAnswer },
      { page: 'customers', words: t('shell.entries.customers'), Icon: IdCardIcon },
    ],
  },
  {
    words: t('shell.groups.developers'),
    entries: [
      { page: 'webhooks', words: t('shell.entries.webhooks'), Icon: PaperPlaneIcon, Beside: NotDelivered },
      { page: 'api-keys', words: t('shell.entries.apiKeys'), Icon: LockClosedIcon },
      { page: 'requests', words: t('shell.entries.requests'), Icon: ActivityLogIcon },
      { page: 'limits', words: t('shell.entries.limits'), Icon: StopwatchIcon },
    ],
  },
  {
    words: t('shell.groups.setup'),
    entries: [
      { page: 'routing', words: t('shell.entries.routing'), Icon: ShuffleIcon },
      { page: 'gateways', words: t('shell.entries.gateways'), Icon: GlobeIcon },
      { page: 'books', words: t('shell.entries.books'), Icon: ReaderIcon },
      {
        page: 'people',
        words: t('shell.entries.people'),
        Icon: PersonIcon,
        isFor: ({ manages_people }) => manages_people,
      },
    ],
  },
]

export function Navigation({ current, onChosen }: { current: string; onChosen?: () => void }) {
  const { project, href } = useProject()
  return GROUPS.map(({ words, entries }) => (
    <div key={words} className="navigation-group">
      {words && (
        <Text size="xs" fw={600} c="dimmed" className="navigation-words">
          {words}
        </Text>
      )}
      {entries
        .filter(({ isFor }) => isFor?.(project) ?? true)
        .map(({ page, words: label, Icon, Beside }) => (
          <NavLink
            key={page}
            href={href(page === '' ? [] : [page])}
            label={label}
            leftSection={<Icon aria-hidden />}
            rightSection={Beside && <Beside />}
            active={current === page}
            aria-current={current === page ? 'page' : undefined}
            onClick={() => onChosen?.()}
          />
        ))}
    </div>
  ))
}

/** How many disputes must be answered. */
function ToAnswer() {
  const count = useOpenDisputes()?.to_answer ?? 0
  return <Count count={count} words={t('disputes.toAnswer', { count })} />
}

/** How many webhooks have not arrived. */
function NotDelivered() {
  return <Count {...useUndelivered()} />
}

function Count({ count, words }: { count: number; words: string }) {
  if (count === 0) return null
  return (
    <Badge color="red" circle={count < 10} aria-label={words} role="img">
      {count > 99 ? '99+' : count}
    </Badge>
  )
}
