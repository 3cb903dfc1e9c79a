import { useState } from 'react'
import type { Gateway } from '../../../../../src/dashboard/contract.ts'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { useAct } from '../../service/act.ts'
import { isolated, t } from '../../words/words.ts'
import { type Account, accountBody, toldProblems, useAccount } from './account.ts'
import { AccountFields } from './account-fields.tsx'

/** Changes the name, currency, credentials and settings of an account. */
export function EditGateway({
  configuration,
  gateway,
  onClose,
  onDone,
}: {
  configuration: GatewayConfiguration
  gateway: Gateway
  onClose(): void
  onDone(): unknown
}) {
  const { id, name, default_currency, settings } = configuration
  const [before] = useState<Account>({ name, currency: default_currency ?? '', credentials: {}, settings })
  const isSet = (credential: string) => Object.hasOwn(configuration.credentials, credential)
  const { account, change, own, check } = useAccount(gateway, before, isSet)
  const save = useAct()
  const { problems, rest } = toldProblems(save.error, gateway)
  async function run() {
    if (!check() || !(await save.run('PUT', `/gateway-configurations/${id}`, accountBody(account, before)))) return
    say(t('gateways.changed'))
    await onDone()
    onClose()
  }
  return (
    <Dialog
      title={t('gateways.form.edit', { name: isolated(name) })}
      opened
      onClose={onClose}
      action={t('common.save')}
      onAction={run}
      busy={save.busy}
      error={rest}
      size="lg"
    >
      <AccountFields
        gateway={gateway}
        account={account}
        onChange={change}
        problems={{ ...problems, ...own }}
        isSet={isSet}
      />
    </Dialog>
  )
}
