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
import { marks, t } from '../words/words.ts'

export function ApiKeys() {
  const { project } = useProject()
  const [isAdding, setIsAdding] = useState(false)
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  const { data, error, refresh } = useRead<{ api_keys: ApiKey[] }>('/dashboard/api-keys')
  const keys = data?.api_keys
  const add = project.manages_api_keys && (
    <Button leftSection={<PlusIcon />} onClick={() => setIsAdding(true)}>
      {t('apiKeys.create')}
    </Button>
  )
  return (
    <Page
      title={t('apiKeys.title')}
      about={t.rich('apiKeys.about', { ...marks, id: project.id })}
      actions={add}
      mayChange={project.manages_api_keys}
    >
      {error && <Problem error={error} retry={refresh} />}
      <Section title={t('apiKeys.secretKeys')} flush>
        {keys === undefined && !error && <Loading />}
        {keys?.length === 0 && (
          <Empty title={t('apiKeys.noneYet')} action={add}>
            {t('apiKeys.noneYetAbout')}
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
      label={t('apiKeys.secretKeys')}
      items={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t('apiKeys.key'),
          narrow: 'first',
          cell: ({ id, name, secret_ending }) => (
            <span className="two-lines">
              <bdi>{name ?? <Id id={id} label={t('apiKeys.idOfKey')} />}</bdi>
              {secret_ending && <small>{t('apiKeys.endsIn', { ending: secret_ending })}</small>}
            </span>
          ),
        },
        {
          title: t('common.status'),
          narrow: 'beside',
          cell: ({ revoked_at }) =>
            revoked_at ? (
              <ToneBadge tone="neutral">{t('apiKeys.revoked')}</ToneBadge>
            ) : (
              <ToneBadge tone="good">{t('apiKeys.active')}</ToneBadge>
            ),
        },
        {
          title: t('apiKeys.may'),
          narrow: 'named',
          cell: ({ permissions }) =>
            permissions.length === PERMISSIONS.length
              ? t('common.everything')
              : permissions.map((permission) => PERMISSION_WORDS[permission].words).join(', '),
        },
        {
          title: t('apiKeys.lastUsed'),
          narrow: 'named',
          cell: ({ last_used_at }) => (last_used_at ? <Distance at={last_used_at} /> : <Nothing />),
        },
        { title: t('common.created'), narrow: 'named', cell: ({ created_at }) => <Instant at={created_at} /> },
        ...(project.manages_api_keys
          ? [
              {
                title: t('common.actions'),
                isTitleHidden: true,
                align: 'right' as const,
                narrow: 'below' as const,
                cell: (key: ApiKey) =>
                  key.revoked_at === null && (
                    <Button size="compact-xs" variant="subtle" color="red" onClick={() => onRevoke(key)}>
                      {t('apiKeys.revoke')}
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
    return <Secret title={t('apiKeys.isCreated')} secret={secret} label={t('apiKeys.secretKey')} onClose={onClose} />
  return (
    <Dialog
      title={t('apiKeys.create')}
      opened
      onClose={onClose}
      action={t('apiKeys.createAction')}
      onAction={run}
      busy={create.busy}
      error={create.error}
      isDisabled={permissions.length === 0}
    >
      <TextInput
        label={t('common.name')}
        description={t('apiKeys.nameAbout')}
        required
        maxLength={80}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox.Group label={t('apiKeys.itMay')} value={permissions} onChange={setPermissions}>
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
    say(t('apiKeys.isRevoked'))
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title={t('apiKeys.revokeTitle')}
      opened
      onClose={onClose}
      action={t('apiKeys.revokeForGood')}
      onAction={run}
      busy={revoke.busy}
      error={revoke.error}
      isDangerous
    >
      <Text size="sm">
        {t.rich('apiKeys.revokeAbout', { ...marks, name: apiKey.name ?? apiKey.id })}{' '}
        {apiKey.last_used_at && t.rich('apiKeys.wasUsed', { at: () => <Distance at={apiKey.last_used_at ?? ''} /> })}
      </Text>
    </Dialog>
  )
}
