import { Button, Checkbox, Radio, Stack, Text, TextInput } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { linkTo } from '../../../../domain/one-time-link.ts'
import { ROLES } from '../../../../domain/role.ts'
import type {
  Invitation,
  InvitationRequest,
  NewInvitationAnswer,
  Person,
  Role,
  SecondFactorRule,
} from '../../../../src/dashboard/contract.ts'
import { ToneBadge } from '../parts/badges.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Loading, Page, Problem, Section } from '../parts/page.tsx'
import { say } from '../parts/said.ts'
import { Secret } from '../parts/secret.tsx'
import { Table } from '../parts/table.tsx'
import { Distance, Nothing } from '../parts/values.tsx'
import { useAct } from '../service/act.ts'
import { useRead } from '../service/read.ts'
import { useProject, useSession } from '../service/session.tsx'
import { ROLE_WORDS } from '../words/status.ts'

export function People() {
  const { project } = useProject()
  const [isInviting, setIsInviting] = useState(false)
  const [changed, setChanged] = useState<Person | null>(null)
  const [removed, setRemoved] = useState<Person | null>(null)
  const { data, error, refresh } = useRead<{ people: Person[] }>(project.manages_people ? '/dashboard/people' : null)
  const open = useRead<{ invitations: Invitation[] }>(project.manages_people ? '/dashboard/invitations' : null)
  if (!project.manages_people)
    return (
      <Page title="People">
        <Empty title="For owners">Ask an owner of the project to invite people, or to change what they may do.</Empty>
      </Page>
    )
  return (
    <Page
      title="People"
      about="People who can sign in to this project, in both environments."
      actions={
        <Button leftSection={<PlusIcon />} onClick={() => setIsInviting(true)}>
          Invite a person
        </Button>
      }
    >
      {error && <Problem error={error} retry={refresh} />}
      <Section title="People" flush>
        {data === undefined && !error && <Loading />}
        {data && <PeopleTable people={data.people} onChange={setChanged} onRemove={setRemoved} />}
      </Section>
      <Rule />
      {open.error && <Problem error={open.error} retry={open.refresh} />}
      {open.data && open.data.invitations.length > 0 && (
        <Section title="Invitations" about="Their links were not used yet." flush>
          <InvitationTable invitations={open.data.invitations} onDone={open.refresh} />
        </Section>
      )}
      {isInviting && <InvitationDialog onClose={() => setIsInviting(false)} onDone={open.refresh} />}
      {changed && <RoleDialog person={changed} onClose={() => setChanged(null)} onDone={refresh} />}
      {removed && <Removal person={removed} onClose={() => setRemoved(null)} onDone={refresh} />}
    </Page>
  )
}

/** Whether everybody needs a second factor. The session tells it, and is asked anew. */
function Rule() {
  const { project } = useProject()
  const { refresh } = useSession()
  const change = useAct()
  async function require(required: boolean) {
    const rule: SecondFactorRule = { required }
    if ((await change.run('PUT', '/dashboard/second-factor', rule)) === undefined) return
    say(required ? 'A second factor is now required.' : 'A second factor is now optional.')
    await refresh()
  }
  return (
    <Section title="Second factor">
      {change.error && <Problem error={change.error} />}
      <Checkbox
        label="Require a second factor"
        description="People without one can only set one up, from their next request on."
        checked={project.requires_second_factor}
        disabled={change.busy}
        onChange={(event) => void require(event.currentTarget.checked)}
      />
    </Section>
  )
}

function PeopleTable({
  people,
  onChange,
  onRemove,
}: {
  people: readonly Person[]
  onChange(person: Person): void
  onRemove(person: Person): void
}) {
  const { session } = useProject()
  return (
    <Table
      label="People"
      items={people}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Person',
          narrow: 'first',
          cell: ({ id, name, email }) => (
            <span className="two-lines">
              <span>
                {name}
                {id === session.person.id && ' (you)'}
              </span>
              <small>{email}</small>
            </span>
          ),
        },
        { title: 'Role', narrow: 'beside', cell: ({ role }) => ROLE_WORDS[role].words },
        {
          title: 'Status',
          narrow: 'below',
          cell: ({ enabled }) =>
            enabled ? <ToneBadge tone="good">Active</ToneBadge> : <ToneBadge tone="bad">Disabled</ToneBadge>,
        },
        {
          title: 'Last signed in',
          narrow: 'named',
          cell: ({ last_signed_in_at }) => (last_signed_in_at ? <Distance at={last_signed_in_at} /> : <Nothing />),
        },
        {
          title: 'Actions',
          isTitleHidden: true,
          align: 'right',
          narrow: 'below',
          cell: (person) => (
            <span className="row-buttons">
              <Button size="compact-xs" variant="subtle" onClick={() => onChange(person)}>
                Change role
              </Button>
              <Button size="compact-xs" variant="subtle" color="red" onClick={() => onRemove(person)}>
                Remove
              </Button>
            </span>
          ),
        },
      ]}
    />
  )
}

function RoleField({ role, onChange }: { role: Role; onChange(role: Role): void }) {
  return (
    <Radio.Group label="Role" value={role} onChange={(value) => onChange(ROLES.find((one) => one === value) ?? role)}>
      <Stack gap="xs" mt="xs">
        {ROLES.map((one) => (
          <Radio key={one} value={one} label={ROLE_WORDS[one].words} description={ROLE_WORDS[one].meaning} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

interface QuestionProps {
  onClose(): void
  onDone(): unknown
}

function InvitationDialog({ onClose, onDone }: QuestionProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('support')
  const [link, setLink] = useState<string | null>(null)
  const invite = useAct<NewInvitationAnswer>()
  async function run() {
    const request: InvitationRequest = { email: email.trim(), role }
    const answer = await invite.run('POST', '/dashboard/invitations', request)
    if (answer === undefined) return
    await onDone()
    setLink(linkTo(location.origin, 'join', answer.token))
  }
  if (link !== null)
    return (
      <Secret
        title={`${email.trim()} is invited`}
        secret={link}
        label="Link"
        advice="If it is lost, invite again."
        onClose={onClose}
      >
        <Text size="sm">
          Send it to {email.trim()} on a way that others do not read: whoever opens it first is let in. It works once,
          within seven days.
        </Text>
      </Secret>
    )
  return (
    <Dialog
      title="Invite a person"
      opened
      onClose={onClose}
      action="Invite"
      onAction={run}
      busy={invite.busy}
      error={invite.error}
    >
      <TextInput
        label="Email"
        type="email"
        required
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleField role={role} onChange={setRole} />
    </Dialog>
  )
}

function InvitationTable({ invitations, onDone }: { invitations: readonly Invitation[]; onDone(): unknown }) {
  const withdrawal = useAct()
  async function withdraw({ id, email }: Invitation) {
    if (!(await withdrawal.run('DELETE', `/dashboard/invitations/${id}`))) return
    say(`The invitation of ${email} is withdrawn.`)
    await onDone()
  }
  return (
    <>
      {withdrawal.error && <Problem error={withdrawal.error} />}
      <Table
        label="Invitations"
        items={invitations}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Invited',
            narrow: 'first',
            cell: ({ email, invited_by: by }) => (
              <span className="two-lines">
                <span>{email}</span>
                <small>by {by ?? 'the operator'}</small>
              </span>
            ),
          },
          { title: 'Role', narrow: 'beside', cell: ({ role }) => ROLE_WORDS[role].words },
          { title: 'Expires', narrow: 'named', cell: ({ expires_at }) => <Distance at={expires_at} /> },
          {
            title: 'Actions',
            isTitleHidden: true,
            align: 'right',
            narrow: 'below',
            cell: (invitation) => (
              <Button
                size="compact-xs"
                variant="subtle"
                color="red"
                loading={withdrawal.busy}
                onClick={() => void withdraw(invitation)}
              >
                Withdraw
              </Button>
            ),
          },
        ]}
      />
    </>
  )
}

function RoleDialog({ person, onClose, onDone }: QuestionProps & { person: Person }) {
  const [role, setRole] = useState(person.role)
  const change = useAct()
  async function run() {
    if (!(await change.run('PUT', `/dashboard/people/${person.id}`, { role }))) return
    say(`${person.name} is ${ROLE_WORDS[role].words.toLowerCase()} now.`)
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title={`The role of ${person.name}`}
      opened
      onClose={onClose}
      action="Change the role"
      onAction={run}
      busy={change.busy}
      error={change.error}
      isDisabled={role === person.role}
    >
      <RoleField role={role} onChange={setRole} />
    </Dialog>
  )
}

function Removal({ person, onClose, onDone }: QuestionProps & { person: Person }) {
  const remove = useAct()
  async function run() {
    if (!(await remove.run('DELETE', `/dashboard/people/${person.id}`))) return
    say(`${person.name} was removed.`)
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title={`Remove ${person.name}`}
      opened
      onClose={onClose}
      action="Remove"
      onAction={run}
      busy={remove.busy}
      error={remove.error}
      isDangerous
    >
      <Text size="sm">
        {person.name} ({person.email}) sees nothing of this project any more, from the next request on. API keys stay.
      </Text>
    </Dialog>
  )
}
