import { Button, Radio, Stack, Text, TextInput } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { ROLES } from '../../../../domain/role.ts'
import type { NewPersonAnswer, Person, Role } from '../../../../src/http/dashboard/contract.ts'
import { ToneBadge } from '../parts/badges.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Loading, Page, Problem, Section } from '../parts/page.tsx'
import { say } from '../parts/said.ts'
import { Secret } from '../parts/secret.tsx'
import { Table } from '../parts/table.tsx'
import { Distance, Nothing } from '../parts/values.tsx'
import { useAct } from '../service/act.ts'
import { useRead } from '../service/read.ts'
import { useProject } from '../service/session.tsx'
import { ROLE_WORDS } from '../words/status.ts'

export function People() {
  const { project } = useProject()
  const [isAdding, setIsAdding] = useState(false)
  const [changed, setChanged] = useState<Person | null>(null)
  const [removed, setRemoved] = useState<Person | null>(null)
  const { data, error, refresh } = useRead<{ people: Person[] }>(project.manages_people ? '/dashboard/people' : null)
  if (!project.manages_people)
    return (
      <Page title="People">
        <Empty title="For owners">Ask an owner of the project to add people, or to change what they may do.</Empty>
      </Page>
    )
  return (
    <Page
      title="People"
      about="Who may sign in to this project, in both environments."
      actions={
        <Button leftSection={<PlusIcon />} onClick={() => setIsAdding(true)}>
          Add a person
        </Button>
      }
    >
      {error && <Problem error={error} retry={refresh} />}
      <Section title="People" flush>
        {data === undefined && !error && <Loading />}
        {data && <PeopleTable people={data.people} onChange={setChanged} onRemove={setRemoved} />}
      </Section>
      {isAdding && <NewPerson onClose={() => setIsAdding(false)} onDone={refresh} />}
      {changed && <RoleDialog person={changed} onClose={() => setChanged(null)} onDone={refresh} />}
      {removed && <Removal person={removed} onClose={() => setRemoved(null)} onDone={refresh} />}
    </Page>
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

function NewPerson({ onClose, onDone }: QuestionProps) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('support')
  const [password, setPassword] = useState<string | null>(null)
  const add = useAct<NewPersonAnswer>()
  async function run() {
    const answer = await add.run('POST', '/dashboard/people', { email: email.trim(), name: name.trim(), role })
    if (answer === undefined) return
    await onDone()
    if (answer.password !== null) return setPassword(answer.password)
    say(`${answer.person.name} was added, and signs in as before.`)
    onClose()
  }
  if (password !== null)
    return (
      <Secret title={`${name.trim()} was added`} secret={password} label="First password" onClose={onClose}>
        <Text size="sm">Hand it over on a way that others do not read. It has to be changed at the first sign-in.</Text>
      </Secret>
    )
  return (
    <Dialog title="Add a person" opened onClose={onClose} action="Add" onAction={run} busy={add.busy} error={add.error}>
      <TextInput
        label="Name"
        required
        maxLength={80}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Email"
        type="email"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleField role={role} onChange={setRole} />
    </Dialog>
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
