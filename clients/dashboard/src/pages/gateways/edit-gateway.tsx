import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { useAct } from '../../service/act.ts'
import type { GatewayConfiguration } from '../../service/rest.ts'
import { changedOf, NamedFields, useInstalledGateways } from './named-fields.tsx'

/** Changes the name, credentials and settings of an account. A credential that is left empty stays as it is. */
export function EditGateway({
  gateway,
  onClose,
  onDone,
}: {
  gateway: GatewayConfiguration
  onClose(): void
  onDone(): unknown
}) {
  const installed = useInstalledGateways().find(({ name }) => name === gateway.gateway_name)
  const [name, setName] = useState(gateway.name)
  const [credentials, setCredentials] = useState<Record<string, string>>({})
  const [settings, setSettings] = useState<Record<string, string>>(gateway.settings)
  const save = useAct()
  async function run() {
    const body = {
      name: name.trim(),
      credentials: changedOf(credentials, {}),
      settings: changedOf(settings, gateway.settings),
    }
    if (!(await save.run('PUT', `/gateway-configurations/${gateway.id}`, body))) return
    say('The account was changed.')
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title={`Change ${gateway.name}`}
      opened
      onClose={onClose}
      action="Save"
      onAction={run}
      busy={save.busy}
      error={save.error}
      size="lg"
    >
      <TextInput
        label="Name"
        required
        maxLength={80}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NamedFields
        title="Credentials"
        about="An empty field leaves what is there."
        names={installed?.credentials ?? Object.keys(gateway.credentials)}
        values={credentials}
        onChange={setCredentials}
        isSecret
      />
      <NamedFields
        title="Settings"
        names={installed?.settings ?? Object.keys(gateway.settings)}
        values={settings}
        onChange={setSettings}
      />
    </Dialog>
  )
}
