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
import { isolated, marks, t } from '../words/words.ts'

export function People() {
  const { project } = useProject()
  const [isInviting, setIsInviting] = useState(false)
  const [changed, setChanged] = useState<Person | null>(null)
  const [removed, setRemoved] = useState<Person | null>(null)
  const { data, error, refresh } = useRead<{ people: Person[] }>(project.manages_people ? '/dashboard/people' : null)
  const open = useRead<{ invitations: Invitation[] }>(project.manages_people ? '/dashboard/invitations' : null)
  if (!project.manages_people)
    return (
      <Page title={t('people.title')}>
        <Empty title={t('people.forOwners')}>{t('people.forOwnersAdvice')}</Empty>
      </Page>
    )
  return (
    <Page
      title={t('people.title')}
      about={t('people.about')}
      actions={
        <Button leftSection={<PlusIcon />} onClick={() => setIsInviting(true)}>
          {t('people.invite')}
        </Button>
      }
    >
      {error && <Problem error={error} retry={refresh} />}
      <Section title={t('people.title')} flush>
        {data === undefined && !error && <Loading />}
        {data && <PeopleTable people={data.people} onChange={setChanged} onRemove={setRemoved} />}
      </Section>
      <Rule />
      {open.error && <Problem error={open.error} retry={open.refresh} />}
      {open.data && open.data.invitations.length > 0 && (
        <Section title={t('people.invitations')} about={t('people.invitationsAbout')} flush>
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
    say(t(required ? 'people.factorRequired' : 'people.factorOptional'))
    await refresh()
  }
  return (
    <Section title={t('account.factor.title')}>
      {change.error && <Problem error={change.error} />}
      <Checkbox
        label={t('people.factorRule')}
        description={t('people.factorRuleAbout')}
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
      label={t('people.title')}
      items={people}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t('people.person'),
          narrow: 'first',
          cell: ({ id, name, email }) => (
            <span className="two-lines">
              <span>
                <bdi>{name}</bdi> {id === session.person.id && t('people.you')}
              </span>
              <small>
                <bdi>{email}</bdi>
              </small>
            </span>
          ),
        },
        { title: t('common.role'), narrow: 'beside', cell: ({ role }) => ROLE_WORDS[role].words },
        {
          title: t('common.status'),
          narrow: 'below',
          cell: ({ enabled }) =>
            enabled ? (
              <ToneBadge tone="good">{t('people.active')}</ToneBadge>
            ) : (
              <ToneBadge tone="bad">{t('people.disabled')}</ToneBadge>
            ),
        },
        {
          title: t('account.factor.title'),
          narrow: 'named',
          cell: ({ has_second_factor }) => t(has_second_factor ? 'people.hasFactor' : 'people.noFactor'),
        },
        {
          title: t('people.lastSignedIn'),
          narrow: 'named',
          cell: ({ last_signed_in_at }) => (last_signed_in_at ? <Distance at={last_signed_in_at} /> : <Nothing />),
        },
        {
          title: t('common.actions'),
          isTitleHidden: true,
          align: 'right',
          narrow: 'below',
          cell: (person) => (
            <span className="row-buttons">
              <Button size="compact-xs" variant="subtle" onClick={() => onChange(person)}>
                {t('people.changeRole')}
              </Button>
              <Button size="compact-xs" variant="subtle" color="red" onClick={() => onRemove(person)}>
                {t('common.remove')}
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
    <Radio.Group
      label={t('common.role')}
      value={role}
      onChange={(value) => onChange(ROLES.find((one) => one === value) ?? role)}
    >
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
        title={t('people.isInvited', { email: isolated(email.trim()) })}
        secret={link}
        label={t('people.link')}
        advice={t('people.linkAdvice')}
        onClose={onClose}
      >
        <Text size="sm">{t.rich('people.linkAbout', { ...marks, email: email.trim() })}</Text>
      </Secret>
    )
  return (
    <Dialog
      title={t('people.invite')}
      opened
      onClose={onClose}
      action={t('people.inviteAction')}
      onAction={run}
      busy={invite.busy}
      error={invite.error}
    >
      <TextInput
        label={t('common.email')}
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
    say(t('people.withdrawn', { email: isolated(email) }))
    await onDone()
  }
  return (
    <>
      {withdrawal.error && <Problem error={withdrawal.error} />}
      <Table
        label={t('people.invitations')}
        items={invitations}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('people.invited'),
            narrow: 'first',
            cell: ({ email, invited_by: by }) => (
              <span className="two-lines">
                <bdi>{email}</bdi>
                <small>{t.rich('people.by', { ...marks, name: by ?? t('people.theOperator') })}</small>
              </span>
            ),
          },
          { title: t('common.role'), narrow: 'beside', cell: ({ role }) => ROLE_WORDS[role].words },
          { title: t('people.expires'), narrow: 'named', cell: ({ expires_at }) => <Distance at={expires_at} /> },
          {
            title: t('common.actions'),
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
                {t('people.withdraw')}
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
    say(t('people.roleChanged', { name: isolated(person.name), role: ROLE_WORDS[role].words }))
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title={t('people.roleOf', { name: isolated(person.name) })}
      opened
      onClose={onClose}
      action={t('people.changeTheRole')}
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
    say(t('people.removed', { name: isolated(person.name) }))
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title={t('people.remove', { name: isolated(person.name) })}
      opened
      onClose={onClose}
      action={t('common.remove')}
      onAction={run}
      busy={remove.busy}
      error={remove.error}
      isDangerous
    >
      <Text size="sm">{t.rich('people.removeAbout', { ...marks, name: person.name, email: person.email })}</Text>
    </Dialog>
  )
}
