import { Button, Group, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { DryRun } from '../../../../../src/dashboard/contract.ts'
import type { GatewayConfiguration, RuleSet } from '../../../../node/src/generated/schemas.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { say } from '../../parts/said.ts'
import { Id } from '../../parts/values.tsx'
import { useAct } from '../../service/act.ts'
import type { ApiError } from '../../service/api.ts'
import { useProject } from '../../service/session.tsx'
import { count, plural } from '../../words/format.ts'
import { DryRunResult, partOf } from './dry-run.tsx'
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
  const [problem, setProblem] = useState<ApiError | null>(null)
  const dryRun = useAct<{ dry_run: DryRun }>()
  const field = useRef<HTMLTextAreaElement>(null)
  const isChanged = text !== (active?.text ?? '')

  async function tryOut() {
    setProblem(null)
    const answer = await dryRun.run('POST', '/dashboard/routing-rules/dry-run', { rules: text, payments: 100 })
    setTried(answer === undefined ? null : { text, result: answer.dry_run })
  }

  return (
    <>
      <div className="routing-columns">
        <Section
          title={mayChange ? 'Rules' : 'Active rules'}
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
          <RulesField field={field} text={text} onChange={setText} error={problem ?? dryRun.error} />
        </Section>
        <Words gateways={gateways} />
      </div>
      {tried && <DryRunResult result={tried.result} isOld={tried.text !== text} gateways={gateways} />}
      {isSaving && (
        <SaveDialog
          text={text}
          tried={tried?.text === text ? tried.result : null}
          onClose={() => setIsSaving(false)}
          onProblem={setProblem}
          onSaved={onSaved}
        />
      )}
    </>
  )
}

function SaveDialog({
  text,
  tried,
  onClose,
  onProblem,
  onSaved,
}: {
  text: string
  /** What the text makes of past payments; null where it was not tried. */
  tried: DryRun | null
  onClose(): void
  /** With what is wrong in the text, or null. */
  onProblem(error: ApiError | null): void
  onSaved(): unknown
}) {
  const save = useAct<{ rule_set: RuleSet }>()
  // What is wrong in the text is shown beside the text, which is behind the dialog.
  useEffect(() => {
    if (save.error?.status !== 400) return
    onProblem(save.error)
    onClose()
  }, [save.error, onProblem, onClose])
  async function run() {
    const answer = await save.run('POST', '/routing-rules', { rules: text, activate: true })
    if (answer === undefined) return
    say(`Version ${answer.rule_set.version} is active from the next payment on.`)
    onProblem(null)
    onClose()
    await onSaved()
  }
  return (
    <Dialog
      title="Save the rules"
      opened
      onClose={onClose}
      action="Save and activate"
      onAction={run}
      busy={save.busy}
      error={save.error}
    >
      <Text size="sm">
        The text becomes a new version, which is active from the next payment on. Earlier versions stay, so that you can
        go back.
      </Text>
      {tried ? (
        <Text size="sm">
          It was tried on {plural(tried.payments, 'past payment')}, and decides {count(tried.changed)} otherwise.{' '}
          {tried.is_partial && partOf(tried)}
        </Text>
      ) : (
        <Text size="sm" className="money-note">
          This text was not tried on past payments yet.
        </Text>
      )}
    </Dialog>
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
      <Section title="Syntax">
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
