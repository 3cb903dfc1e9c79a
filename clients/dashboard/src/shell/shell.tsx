/** What stands around every page: the environment, the navigation, the person. */
import { ActionIcon, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { HamburgerMenuIcon } from '@radix-ui/react-icons'
import { type ReactNode, useEffect } from 'react'
import { Logo } from '../parts/logo.tsx'
import { Outside } from '../parts/values.tsx'
import type { Route } from '../service/route.ts'
import { useProject } from '../service/session.tsx'
import { t } from '../words/words.ts'
import { useArrival } from './arrival.ts'
import { EnvironmentSwitch, ProjectSwitch } from './environment-switch.tsx'
import { Navigation } from './navigation.tsx'
import { PersonMenu } from './person-menu.tsx'

export function Shell({ route, children }: { route: Route; children: ReactNode }) {
  const { project, href } = useProject()
  const [opened, { open, close }] = useDisclosure()
  const current = route.path[0] ?? ''
  useArrival(route)
  // Dialogs are drawn outside of this element, and show the environment as well.
  useEffect(() => {
    document.documentElement.dataset.environment = project.environment
    return () => {
      delete document.documentElement.dataset.environment
    }
  }, [project.environment])
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => document.getElementById('page-title')?.focus()}>
        {t('shell.skip')}
      </button>
      <EnvironmentBand />
      <header className="topbar">
        <ActionIcon
          className="only-narrow"
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('shell.menu')}
          onClick={open}
        >
          <HamburgerMenuIcon />
        </ActionIcon>
        <a className="brand" href={href([])} aria-label={t('shell.home')}>
          <Logo /> <span className="only-wide">Holdfast</span>
        </a>
        <div className="only-wide">
          <ProjectSwitch />
        </div>
        <span className="grow" />
        <EnvironmentSwitch page={current} />
        <PersonMenu />
      </header>
      <nav className="sidebar only-wide" aria-label={t('shell.pages')}>
        <Navigation current={current} />
      </nav>
      <Drawer
        opened={opened}
        onClose={close}
        title="Holdfast"
        size="xs"
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <ProjectSwitch />
        <nav aria-label={t('shell.pages')}>
          <Navigation current={current} onChosen={close} />
        </nav>
      </Drawer>
      <main className="content">{children}</main>
    </div>
  )
}

const TEST_CARDS = { cards: (inside: ReactNode) => <Outside href="../docs/test-cards">{inside}</Outside> }

/** Always in view, so that nobody takes one environment for the other. */
function EnvironmentBand() {
  const { environment, is_suspended: isSuspended } = useProject().project
  return (
    <section className="environment-band" aria-label={t('shell.environment')}>
      <span>
        <strong>{t(`shell.${environment}`)}</strong>{' '}
        {environment === 'sandbox' ? t.rich('shell.sandboxMeans', TEST_CARDS) : t('shell.liveMeans')}
      </span>
      {isSuspended && <strong>{t('shell.suspended')}</strong>}
    </section>
  )
}
