import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { useAct } from '../../service/act.ts'
import type { GatewayConfiguration } from '../../service/rest.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { changedOf, NamedFields, useInstalledGateways } from './named-fields.tsx'

export function NewGateway({ onClose, onDone }: { onClose(): void; onDone(): unknown }) {
  const { project, href } = useProject()
  const installed = useInstalledGateways()
  const [chosen, setChosen] = useState('')
  const [name, setName] = useState('')
  const [currency, setCurrency] = useState(project.default_currency)
  const [credentials, setCredentials] = useState<Record<string, string>>({})
  const [settings, setSettings] = useState<Record<string, string>>({})
  const add = useAct<{ gateway_configuration: GatewayConfiguration }>()
  const gateway = installed.find((one) => one.name === chosen) ?? installed[0]
  async function run() {
    if (gateway === undefined) return
    const body = {
      name: name.trim(),
      default_currency: currency.trim().toUpperCase(),
      credentials: changedOf(credentials, {}),
      settings: changedOf(settings, {}),
    }
    const path = `/gateways/${encodeURIComponent(gateway.name)}/gateway-configurations`
    const answer = await add.run('POST', path, body)
    if (answer === undefined) return
    say('The account was added.')
    await onDone()
    go(href(['gateways', answer.gateway_configuration.id]))
  }
  return (
    <Dialog
      title="Add an account"
      opened
      onClose={onClose}
      action="Add the account"
      onAction={run}
      busy={add.busy}
      error={add.error}
      isDisabled={gateway === undefined}
      size="lg"
    >
      <NativeSelect
        label="Gateway"
        value={gateway?.name ?? ''}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={installed.map((one) => one.name)}
      />
      <TextInput
        label="Name"
        description="By which you know it, such as the country that it is for."
        required
        maxLength={80}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Currency"
        maxLength={3}
        value={currency}
        onChange={(event) => setCurrency(event.currentTarget.value)}
      />
      <NamedFields
        title="Credentials"
        about="They are encrypted, and told to nobody any more."
        names={gateway?.credentials ?? []}
        values={credentials}
        onChange={setCredentials}
        isSecret
      />
      <NamedFields
        title="Settings"
        about="What is left empty is as it is by default."
        names={gateway?.settings ?? []}
        values={settings}
        onChange={setSettings}
      />
    </Dialog>
  )
}
