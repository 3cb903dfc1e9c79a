import { Button, Group, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import type { DryRun } from '../../../../../src/http/dashboard/contract.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { say } from '../../parts/said.ts'
import { Id } from '../../parts/values.tsx'
import { useAct } from '../../service/act.ts'
import type { GatewayConfiguration, RuleSet } from '../../service/rest.ts'
import { useProject } from '../../service/session.tsx'
import { DryRunResult } from './dry-run.tsx'
import { RulesField } from './rules-field.tsx'

const EXAMPLE = `/* Which gateways take a payment, in their order. */
route {
  gateways: GATEWAYS;
  fallback: true;
}
`

/** The text of the rules: changed, tried on past payments, and made the next version. */
export function Editor({
  active,
  gateways,
  onSaved,
}: {
  active: RuleSet | null
  gateways: readonly GatewayConfiguration[]
  onSaved(): unknown
}) {
  const { can } = useProject()
  const mayChange = can('configuration')
  const [text, setText] = useState(active?.text ?? exampleFor(gateways))
  const [tried, setTried] = useState<{ text: string; result: DryRun } | null>(null)
  const [isSaving, setIsSaving] = useState(false)
  const dryRun = useAct<{ dry_run: DryRun }>()
  const save = useAct<{ rule_set: RuleSet }>()
  const field = useRef<HTMLTextAreaElement>(null)
  const isChanged = text !== (active?.text ?? '')

  async function tryOut() {
    const answer = await dryRun.run('POST', '/dashboard/routing-rules/dry-run', { rules: text, payments: 100 })
    setTried(answer === undefined ? null : { text, result: answer.dry_run })
  }
  async function saveRules() {
    const answer = await save.run('POST', '/routing-rules', { rules: text, activate: true })
    if (answer === undefined) return
    setIsSaving(false)
    say(`Version ${answer.rule_set.version} decides from the next payment on.`)
    await onSaved()
  }

  return (
    <>
      <div className="routing-columns">
        <Section
          title={mayChange ? 'Rules' : 'The rules that decide'}
          actions={
            <Group gap="xs">
              <Button variant="default" loading={dryRun.busy} onClick={tryOut}>
                Try on past payments
              </Button>
              {mayChange && (
                <Button disabled={!isChanged} onClick={() => setIsSaving(true)}>
                  Save
                </Button>
              )}
            </Group>
          }
        >
          <RulesField field={field} text={text} onChange={setText} error={save.error ?? dryRun.error} />
        </Section>
        <Words gateways={gateways} />
      </div>
      {tried && <DryRunResult result={tried.result} isOld={tried.text !== text} gateways={gateways} />}
      <Dialog
        title="Save the rules"
        opened={isSaving}
        onClose={() => setIsSaving(false)}
        action="Save and activate"
        onAction={saveRules}
        busy={save.busy}
        error={save.error}
      >
        <Text size="sm">
          The text becomes {active ? `the version after ${active.version}` : 'the first version'} and decides from the
          next payment on. Earlier versions stay, so that you can go back.
        </Text>
        {tried?.text === text ? (
          <Text size="sm">
            Of the {tried.result.payments} latest payments it decides {tried.result.changed} otherwise.
          </Text>
        ) : (
          <Text size="sm" className="money-note">
            This text was not tried on past payments yet.
          </Text>
        )}
      </Dialog>
    </>
  )
}

function exampleFor(gateways: readonly GatewayConfiguration[]): string {
  const ids = gateways.filter(({ enabled }) => enabled).map(({ id }) => id)
  return ids.length === 0 ? '' : EXAMPLE.replace('GATEWAYS', ids.join(', '))
}

/** What can stand in the rules. */
function Words({ gateways }: { gateways: readonly GatewayConfiguration[] }) {
  const { href } = useProject()
  return (
    <div className="stack">
      <Section title="Your gateways">
        {gateways.length === 0 ? (
          <Empty title="No gateways yet">
            <a href={href(['gateways'])}>Add your account at a gateway</a> first.
          </Empty>
        ) : (
          <ul className="plain gateway-ids">
            {gateways.map(({ id, name, enabled }) => (
              <li key={id}>
                <Text size="sm">
                  {name}
                  {!enabled && ' (switched off)'}
                </Text>
                <Id id={id} label={`the id of ${name}`} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="What can stand there">
        <dl className="words">
          <dt>
            <code>{'block { condition: … }'}</code>
          </dt>
          <dd>refuses the payment</dd>
          <dt>
            <code>{'trigger_3ds { condition: … }'}</code>
          </dt>
          <dd>has the customer authenticate</dd>
          <dt>
            <code>{'route { gateways: a 70, b 30; condition: …; fallback: true; }'}</code>
          </dt>
          <dd>sends it there, the first that matches</dd>
          <dt>
            <code>currency == EUR AND amount &lt; 30</code>
          </dt>
          <dd>a condition; also card_country, card_scheme, card_type, channel, metadata.…, rand()</dd>
          <dt>
            <code>{'velocity{path: card_fingerprint; interval: 1h} > 3'}</code>
          </dt>
          <dd>counts earlier payments with the same value</dd>
        </dl>
      </Section>
    </div>
  )
}
