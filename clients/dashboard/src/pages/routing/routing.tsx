import type { GatewayConfiguration, ListedRuleSet, RuleSet } from '../../../../node/src/generated/schemas.ts'
import { Loading, Page, Problem } from '../../parts/page.tsx'
import type { List } from '../../service/read.ts'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'
import { Editor } from './editor.tsx'
import { Versions } from './versions.tsx'

/** Which payments are refused, which are authenticated, and which gateways they go to. */
export function Routing() {
  const { can } = useProject()
  const active = useRead<{ rule_set: RuleSet | null }>('/routing-rules')
  const versions = useRead<List<'rule_sets', ListedRuleSet>>('/rule-sets', { query: { limit: '20' } })
  const gateways = useRead<List<'gateway_configurations', GatewayConfiguration>>('/gateway-configurations', {
    // The oldest first, as they are tried without rules: the example shows what holds until it is changed.
    query: { limit: '100', order: 'asc' },
  })
  const error = active.error ?? gateways.error
  const refresh = () => Promise.all([active.refresh(), versions.refresh(), gateways.refresh()])
  const ruleSet = active.data?.rule_set
  return (
    <Page
      title={t('routing.title')}
      about={
        ruleSet === undefined
          ? null
          : ruleSet === null
            ? t('routing.noRules')
            : t('routing.active', { version: String(ruleSet.version) })
      }
      mayChange={can('configuration')}
    >
      {error && <Problem error={error} retry={refresh} />}
      {!error && (ruleSet === undefined || gateways.data === undefined) && <Loading lines={12} />}
      <div className="routing-columns">
        {ruleSet !== undefined && gateways.data && (
          <Editor
            // Another version is another text to begin with.
            key={ruleSet?.id ?? 'none'}
            active={ruleSet}
            gateways={gateways.data.gateway_configurations}
            onSaved={refresh}
          />
        )}
        <Versions reading={versions} active={ruleSet ?? null} onChanged={refresh} />
      </div>
    </Page>
  )
}
