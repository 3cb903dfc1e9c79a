import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { useAct } from '../../service/act.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { type Account, AccountFields, accountBody, useInstalledGateways } from './account-fields.tsx'

const NOTHING: Account = { name: '', currency: '', credentials: {}, settings: {} }

export function NewGateway({ onClose, onDone }: { onClose(): void; onDone(): unknown }) {
  const { project, href } = useProject()
  const installed = useInstalledGateways()
  const [chosen, setChosen] = useState('')
  const [account, setAccount] = useState<Account>({ ...NOTHING, currency: project.default_currency })
  const add = useAct<{ gateway_configuration: GatewayConfiguration }>()
  const gateway = installed.find((one) => one.name === chosen) ?? installed[0]
  async function run() {
    if (gateway === undefined) return
    const path = `/gateways/${encodeURIComponent(gateway.name)}/gateway-configurations`
    const answer = await add.run('POST', path, accountBody(account, NOTHING))
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
        onChange={(event) => {
          setChosen(event.currentTarget.value)
          // The names of one gateway mean nothing to another.
          setAccount({ ...account, credentials: {}, settings: {} })
        }}
        data={installed.map((one) => one.name)}
      />
      <AccountFields
        account={account}
        onChange={setAccount}
        credentials={gateway?.credentials ?? []}
        settings={gateway?.settings ?? []}
        isNew
      />
    </Dialog>
  )
}
