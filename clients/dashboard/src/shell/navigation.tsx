import { NavLink, Text } from '@mantine/core'
import {
  ActivityLogIcon,
  CardStackIcon,
  DashboardIcon,
  GlobeIcon,
  LockClosedIcon,
  PaperPlaneIcon,
  PersonIcon,
  ReaderIcon,
  ShuffleIcon,
  StopwatchIcon,
} from '@radix-ui/react-icons'
import type { SessionProject } from '../../../../src/dashboard/contract.ts'
import { useProject } from '../service/session.tsx'

interface Entry {
  page: string
  words: string
  Icon: typeof PersonIcon
  isFor?: (project: SessionProject) => boolean
}

const GROUPS: readonly { words: string | null; entries: readonly Entry[] }[] = [
  {
    words: null,
    entries: [
      { page: '', words: 'Overview', Icon: DashboardIcon },
      { page: 'payments', words: 'Payments', Icon: CardStackIcon },
    ],
  },
  {
    words: 'Developers',
    entries: [
      { page: 'webhooks', words: 'Webhooks', Icon: PaperPlaneIcon },
      { page: 'api-keys', words: 'API keys', Icon: LockClosedIcon },
      { page: 'requests', words: 'Request log', Icon: ActivityLogIcon },
      { page: 'limits', words: 'Rate limits', Icon: StopwatchIcon },
    ],
  },
  {
    words: 'Setup',
    entries: [
      { page: 'routing', words: 'Routing rules', Icon: ShuffleIcon },
      { page: 'gateways', words: 'Gateways', Icon: GlobeIcon },
      { page: 'books', words: 'Books', Icon: ReaderIcon },
      { page: 'people', words: 'People', Icon: PersonIcon, isFor: ({ manages_people }) => manages_people },
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
        .map(({ page, words: label, Icon }) => (
          <NavLink
            key={page}
            href={href(page === '' ? [] : [page])}
            label={label}
            leftSection={<Icon aria-hidden />}
            active={current === page}
            aria-current={current === page ? 'page' : undefined}
            onClick={() => onChosen?.()}
          />
        ))}
    </div>
  ))
}
