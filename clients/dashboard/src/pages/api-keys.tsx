import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { PERMISSIONS } from '../../../../domain/permission.ts'
import type { ApiKey, NewApiKeyAnswer } from '../../../../src/dashboard/contract.ts'
import { ToneBadge } from '../parts/badges.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Loading, Page, Problem, Section } from '../parts/page.tsx'
import { say } from '../parts/said.ts'
import { Secret } from '../parts/secret.tsx'
import { Table } from '../parts/table.tsx'
import { Distance, Id, Instant, Nothing } from '../parts/values.tsx'
import { useAct } from '../service/act.ts'
import { useRead } from '../service/read.ts'
import { useProject } from '../service/session.tsx'
import { PERMISSION_WORDS } from '../words/status.ts'

export function ApiKeys() {
  const { project } = useProject()
  const [isAdding, setIsAdding] = useState(false)
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  const { data, error, refresh } = useRead<{ api_keys: ApiKey[] }>('/dashboard/api-keys')
  const keys = data?.api_keys
  const add = project.manages_api_keys && (
    <Button leftSection={<PlusIcon />} onClick={() => setIsAdding(true)}>
      Create a key
    </Button>
  )
  return (
    <Page
      title="API keys"
      about={
        <>
          Your servers sign in with the project <code>{project.id}</code> and a secret key.
        </>
      }
      actions={add}
    >
      {error && <Problem error={error} retry={refresh} />}
      <Section title="Secret keys" flush>
        {keys === undefined && !error && <Loading />}
        {keys?.length === 0 && (
          <Empty title="No keys yet" action={add}>
            A key opens the interface to one of your servers. It can be limited to what that server does.
          </Empty>
        )}
        {keys !== undefined && keys.length > 0 && <Keys keys={keys} onRevoke={setRevoked} />}
      </Section>
      {isAdding && <NewKey onClose={() => setIsAdding(false)} onDone={refresh} />}
      {revoked && <Revocation apiKey={revoked} onClose={() => setRevoked(null)} onDone={refresh} />}
    </Page>
  )
}

function Keys({ keys, onRevoke }: { keys: readonly ApiKey[]; onRevoke(key: ApiKey): void }) {
  const { project } = useProject()
  return (
    <Table
      label="Secret keys"
      items={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Key',
          narrow: 'first',
          cell: ({ id, name, secret_ending }) => (
            <span className="two-lines">
              <span>{name ?? <Id id={id} label="the id of the key" />}</span>
              {secret_ending && <small>ends in {secret_ending}</small>}
            </span>
          ),
        },
        {
          title: 'Status',
          narrow: 'beside',
          cell: ({ revoked_at }) =>
            revoked_at ? <ToneBadge tone="neutral">Revoked</ToneBadge> : <ToneBadge tone="good">Active</ToneBadge>,
        },
        {
          title: 'May',
          narrow: 'below',
          cell: ({ permissions }) =>
            permissions.length === PERMISSIONS.length
              ? 'Everything'
              : permissions.map((permission) => PERMISSION_WORDS[permission].words).join(', '),
        },
        {
          title: 'Last used',
          narrow: 'named',
          cell: ({ last_used_at }) => (last_used_at ? <Distance at={last_used_at} /> : <Nothing />),
        },
        { title: 'Created', narrow: 'named', cell: ({ created_at }) => <Instant at={created_at} /> },
        ...(project.manages_api_keys
          ? [
              {
                title: 'Actions',
                isTitleHidden: true,
                align: 'right' as const,
                narrow: 'below' as const,
                cell: (key: ApiKey) =>
                  key.revoked_at === null && (
                    <Button size="compact-xs" variant="subtle" color="red" onClick={() => onRevoke(key)}>
                      Revoke
                    </Button>
                  ),
              },
            ]
          : []),
      ]}
    />
  )
}

function NewKey({ onClose, onDone }: { onClose(): void; onDone(): unknown }) {
  const [name, setName] = useState('')
  const [permissions, setPermissions] = useState<string[]>([...PERMISSIONS])
  const [secret, setSecret] = useState<string | null>(null)
  const create = useAct<NewApiKeyAnswer>()
  async function run() {
    const answer = await create.run('POST', '/dashboard/api-keys', { name: name.trim(), permissions })
    if (answer === undefined) return
    await onDone()
    setSecret(answer.secret_key)
  }
  if (secret !== null)
    return <Secret title="The key was created" secret={secret} label="Secret key" onClose={onClose} />
  return (
    <Dialog
      title="Create a key"
      opened
      onClose={onClose}
      action="Create the key"
      onAction={run}
      busy={create.busy}
      error={create.error}
      isDisabled={permissions.length === 0}
    >
      <TextInput
        label="Name"
        description="What it is for, such as the server that uses it."
        required
        maxLength={80}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox.Group label="It may" value={permissions} onChange={setPermissions}>
        <Stack gap="xs" mt="xs">
          {PERMISSIONS.map((permission) => {
            const { words, meaning } = PERMISSION_WORDS[permission]
            return <Checkbox key={permission} value={permission} label={words} description={meaning} />
          })}
        </Stack>
      </Checkbox.Group>
    </Dialog>
  )
}

function Revocation({ apiKey, onClose, onDone }: { apiKey: ApiKey; onClose(): void; onDone(): unknown }) {
  const revoke = useAct()
  async function run() {
    if (!(await revoke.run('DELETE', `/dashboard/api-keys/${apiKey.id}`))) return
    say('The key was revoked.')
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title="Revoke the key"
      opened
      onClose={onClose}
      action="Revoke for good"
      onAction={run}
      busy={revoke.busy}
      error={revoke.error}
      isDangerous
    >
      <Text size="sm">
        Servers that use “{apiKey.name ?? apiKey.id}”{apiKey.secret_ending && ` (ends in ${apiKey.secret_ending})`} are
        refused from the next request on.{' '}
        {apiKey.last_used_at && (
          <>
            It was used <Distance at={apiKey.last_used_at} />.
          </>
        )}
      </Text>
    </Dialog>
  )
}
