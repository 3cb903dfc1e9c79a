import { useState } from 'react'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { useAct } from '../../service/act.ts'
import { type Account, AccountFields, accountBody, useInstalledGateways } from './account-fields.tsx'

/** Changes the name, currency, credentials and settings of an account. */
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
  const { name, default_currency, settings } = gateway
  const [before] = useState<Account>({ name, currency: default_currency ?? '', credentials: {}, settings })
  const [account, setAccount] = useState(before)
  const save = useAct()
  async function run() {
    if (!(await save.run('PUT', `/gateway-configurations/${gateway.id}`, accountBody(account, before)))) return
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
      <AccountFields
        account={account}
        onChange={setAccount}
        credentials={installed?.credentials ?? Object.keys(gateway.credentials)}
        settings={installed?.settings ?? Object.keys(settings)}
      />
    </Dialog>
  )
}
