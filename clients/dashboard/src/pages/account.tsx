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

export function Account() {
  const { session, project } = useProject()
  const { signOut } = useSession()
  const [busy, setBusy] = useState(false)
  const { person, idle_seconds, ends_at } = session
  return (
    <Page title="Your account">
      <div className="columns">
        <Section title="You">
          <Facts
            facts={[
              ['Name', person.name],
              ['Email', person.email],
              [
                'Role',
                <span key="role" className="two-lines">
                  <span>{ROLE_WORDS[project.role].words}</span>
                  <small>{ROLE_WORDS[project.role].meaning}</small>
                </span>,
              ],
              ['Time zone', zone()],
            ]}
          />
        </Section>
        <Section title="Session">
          <Text size="sm">
            It ends after {Math.round(idle_seconds / 60)} minutes without use, and on <Instant at={ends_at} /> in any
            case.
          </Text>
          <Group mt="md">
            <Button variant="default" onClick={() => void signOut()}>
              Sign out here
            </Button>
            <Button
              variant="default"
              loading={busy}
              onClick={() => {
                setBusy(true)
                void signOut({ everywhere: true }).finally(() => setBusy(false))
              }}
            >
              Sign out everywhere
            </Button>
          </Group>
        </Section>
      </div>
      <SecondFactors />
      <Section title="Password" about="A new one ends your other sessions.">
        <div className="form-width">
          <PasswordForm onChanged={() => say('The password was changed.')} />
        </div>
      </Section>
    </Page>
  )
}
