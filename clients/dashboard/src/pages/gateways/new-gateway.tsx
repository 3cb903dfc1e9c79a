import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { Gateway } from '../../../../../src/dashboard/contract.ts'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/said.ts'
import { useAct } from '../../service/act.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'
import { type Account, accountBody, toldProblems, useAccount, withOnlyChoices } from './account.ts'
import { AccountFields } from './account-fields.tsx'

const NOTHING: Account = { name: '', currency: '', credentials: {}, settings: {} }

export function NewGateway({
  installed,
  onClose,
  onDone,
}: {
  /** At least one. */
  installed: readonly [Gateway, ...Gateway[]]
  onClose(): void
  onDone(): unknown
}) {
  const { project, href } = useProject()
  const [first] = installed
  const [gateway, setGateway] = useState(first)
  const [begun] = useState(() => withOnlyChoices({ ...NOTHING, currency: project.default_currency }, first))
  const { account, change, own, check } = useAccount(gateway, begun, () => false)
  const add = useAct<{ gateway_configuration: GatewayConfiguration }>()
  const { problems, rest } = toldProblems(add.error, gateway)
  async function run() {
    if (!check()) return
    const path = `/gateways/${encodeURIComponent(gateway.name)}/gateway-configurations`
    const answer = await add.run('POST', path, accountBody(account, NOTHING))
    if (answer === undefined) return
    say(t('gateways.added'))
    await onDone()
    go(href(['gateways', answer.gateway_configuration.id]))
  }
  return (
    <Dialog
      title={t('gateways.add')}
      opened
      onClose={onClose}
      action={t('gateways.addIt')}
      onAction={run}
      busy={add.busy}
      error={rest}
      size="lg"
    >
      <NativeSelect
        label={t('gateways.form.gateway')}
        value={gateway.name}
        onChange={(event) => {
          const chosen = installed.find(({ name }) => name === event.currentTarget.value) ?? first
          setGateway(chosen)
          // The fields of one gateway mean nothing to another.
          change(withOnlyChoices({ ...account, credentials: {}, settings: {} }, chosen))
        }}
        data={installed.map(({ name, display_name }) => ({ value: name, label: display_name }))}
      />
      <AccountFields gateway={gateway} account={account} onChange={change} problems={{ ...problems, ...own }} />
    </Dialog>
  )
}
