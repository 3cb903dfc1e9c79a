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
import { kept } from '../../service/kept.ts'
import { useProject } from '../../service/session.tsx'
import { count } from '../../words/format.ts'
import { isolated, marks, t } from '../../words/words.ts'
import { DryRunResult, Warnings } from './dry-run.tsx'
import { RulesField, showRange } from './rules-field.tsx'
import { rulesIn } from './rules-text.ts'
import { TryPayment } from './try-payment.tsx'

/** As many as there is time for; the service ends sooner where that takes too long. */
const PAST_PAYMENTS = 200

const EXAMPLE = `/* ${t('routing.example')} */
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
  const { can, project } = useProject()
  const mayChange = can('configuration')
  // What is typed and not saved stays for what is active: another page is no reason to lose it.
  const draft = active?.id ?? project.id
  const [text, setText] = useState(kept.get(draft) ?? active?.text ?? exampleFor(gateways))
  const [tried, setTried] = useState<{ text: string; result: DryRun } | null>(null)
  const [isSaving, setIsSaving] = useState(false)
  const [problem, setProblem] = useState<ApiError | null>(null)
  const dryRun = useAct<{ dry_run: DryRun }>()
  const field = useRef<HTMLTextAreaElement>(null)
  const isChanged = text !== (active?.text ?? '')
  // An example that nobody has touched is no answer to what happens to a payment.
  const isExample = active === null && text === exampleFor(gateways)

  function change(typed: string) {
    setText(typed)
    kept.set(draft, typed)
  }

  async function tryOut() {
    setProblem(null)
    const answer = await dryRun.run('POST', '/dashboard/routing-rules/dry-run', {
      rules: text,
      payments: PAST_PAYMENTS,
    })
    setTried(answer === undefined ? null : { text, result: answer.dry_run })
  }

  // What is wrong in the text is shown beside it.
  useEffect(() => {
    if (dryRun.error?.status === 400) setIsSaving(false)
  }, [dryRun.error])

  /** Before it is saved it is tried, and somebody who would refuse half of the payments sees that. */
  function askToSave() {
    setIsSaving(true)
    if (tried?.text !== text) void tryOut()
  }

  function showRule(position: number) {
    const rule = rulesIn(text)[position - 1]
    if (rule !== undefined) showRange(field, rule.start, rule.end)
  }

  return (
    <>
      <div className="stack">
        <Section
          title={t(mayChange || active === null ? 'routing.rules' : 'routing.activeRules')}
          about={isChanged && t('routing.template')}
          actions={
            <Group gap="xs">
              <Button variant="default" loading={dryRun.busy} onClick={tryOut}>
                {t('routing.past.action')}
              </Button>
              {mayChange && (
                <Button disabled={!isChanged} onClick={askToSave}>
                  {t('common.save')}
                </Button>
              )}
            </Group>
          }
        >
          <RulesField field={field} text={text} onChange={change} error={problem ?? dryRun.error} gateways={gateways} />
        </Section>
        {tried && (
          <DryRunResult result={tried.result} isOld={tried.text !== text} gateways={gateways} onShow={showRule} />
        )}
      </div>
      <div className="stack routing-beside">
        <TryPayment text={isExample ? '' : text} isSaved={!isChanged} gateways={gateways} onShow={showRule} />
        <Words gateways={gateways} />
      </div>
      {isSaving && (
        <SaveDialog
          text={text}
          tried={tried?.text === text ? tried.result : null}
          isTrying={dryRun.busy}
          onClose={() => setIsSaving(false)}
          onProblem={setProblem}
          onSaved={() => {
            kept.delete(draft)
            return onSaved()
          }}
        />
      )}
    </>
  )
}

function SaveDialog({
  text,
  tried,
  isTrying,
  onClose,
  onProblem,
  onSaved,
}: {
  text: string
  /** What the text makes of past payments; null where it was not tried. */
  tried: DryRun | null
  isTrying: boolean
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
    say(t('routing.save.saved', { version: String(answer.rule_set.version) }))
    onProblem(null)
    onClose()
    await onSaved()
  }
  return (
    <Dialog
      title={t('routing.save.title')}
      opened
      onClose={onClose}
      action={t('routing.save.action')}
      onAction={run}
      busy={save.busy}
      error={save.error}
    >
      <Text size="sm">{t('routing.save.about')}</Text>
      <div role="status" className="stack">
        <Text size="sm" className={tried !== null && tried.effects.refused === 0 ? undefined : 'caution'}>
          {triedWords(tried, isTrying)}
        </Text>
        {tried && <Warnings result={tried} />}
      </div>
    </Dialog>
  )
}

/** What the text would do to past payments, in a sentence. */
function triedWords(tried: DryRun | null, isTrying: boolean): string {
  if (tried === null) return t(isTrying ? 'routing.save.trying' : 'routing.save.untried')
  const { payments, effects, is_partial } = tried
  if (payments === 0) return t('routing.save.nothing')
  const { refused, no_longer_refused: noLonger, moved, newly_three_ds: newly } = effects
  const effect = t('routing.save.tried', {
    payments,
    refused: count(refused),
    noLonger: count(noLonger),
    moved: count(moved),
    newly: count(newly),
  })
  return is_partial ? `${effect} ${t('routing.past.partial', { payments })}` : effect
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
      <Section title={t('routing.syntax.gateways')}>
        {gateways.length === 0 ? (
          <Empty title={t('routing.syntax.noGateways')}>
            {t.rich('routing.syntax.addGateway', { link: (inside) => <a href={href(['gateways'])}>{inside}</a> })}
          </Empty>
        ) : (
          <ul className="plain gateway-ids">
            {gateways.map(({ id, name, enabled }) => (
              <li key={id}>
                <Text size="sm">{enabled ? <bdi>{name}</bdi> : t.rich('routing.syntax.off', { ...marks, name })}</Text>
                <Id id={id} label={t('routing.syntax.idOf', { name: isolated(name) })} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={t('routing.syntax.title')}>
        <dl className="words">
          <dt>
            <code>{'block { condition: … }'}</code>
          </dt>
          <dd>{t('routing.syntax.block')}</dd>
          <dt>
            <code>{'trigger_3ds { condition: … }'}</code>
          </dt>
          <dd>{t('routing.syntax.trigger')}</dd>
          <dt>
            <code>{'route { gateways: a 70, b 30; condition: …; fallback: true; }'}</code>
          </dt>
          <dd>{t('routing.syntax.route')}</dd>
          <dt>
            <code>currency == EUR AND amount &lt; 30</code>
          </dt>
          <dd>{t('routing.syntax.condition')}</dd>
          <dt>
            <code>{'velocity{path: card_fingerprint; interval: 1h} > 3'}</code>
          </dt>
          <dd>{t('routing.syntax.velocity')}</dd>
        </dl>
      </Section>
    </div>
  )
}
