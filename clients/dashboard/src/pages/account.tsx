import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Page, Section } from '../parts/page.tsx'
import { PasswordForm } from '../parts/password-form.tsx'
import { say } from '../parts/said.ts'
import { SecondFactors } from '../parts/second-factors.tsx'
import { Facts, Instant } from '../parts/values.tsx'
import { useProject, useSession } from '../service/session.tsx'
import { zone } from '../words/format.ts'
import { ROLE_WORDS } from '../words/status.ts'
import { t } from '../words/words.ts'

export function Account() {
  const { session, project } = useProject()
  const { signOut } = useSession()
  const [busy, setBusy] = useState(false)
  const { person, idle_seconds, ends_at } = session
  return (
    <Page title={t('account.you.title')}>
      <div className="columns">
        <Section title={t('account.you.heading')}>
          <Facts
            facts={[
              [t('common.name'), <bdi key="name">{person.name}</bdi>],
              [t('common.email'), person.email],
              [
                t('common.role'),
                <span key="role" className="two-lines">
                  <span>{ROLE_WORDS[project.role].words}</span>
                  <small>{ROLE_WORDS[project.role].meaning}</small>
                </span>,
              ],
              [t('account.you.zone'), zone()],
            ]}
          />
        </Section>
        <Section title={t('account.session.title')}>
          <Text size="sm">
            {t.rich('account.session.about', {
              minutes: Math.round(idle_seconds / 60),
              at: () => <Instant at={ends_at} />,
            })}
          </Text>
          <Group mt="md">
            <Button variant="default" onClick={() => void signOut()}>
              {t('account.session.here')}
            </Button>
            <Button
              variant="default"
              loading={busy}
              onClick={() => {
                setBusy(true)
                void signOut({ everywhere: true }).finally(() => setBusy(false))
              }}
            >
              {t('account.session.everywhere')}
            </Button>
          </Group>
        </Section>
      </div>
      <SecondFactors />
      <Section title={t('account.password.label')} about={t('account.password.about')}>
        <div className="form-width">
          <PasswordForm onChanged={() => say(t('account.password.changed'))} />
        </div>
      </Section>
    </Page>
  )
}
