import { Code, List } from '@mantine/core'
import { Section } from '../../parts/page.tsx'
import { Copy } from '../../parts/values.tsx'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'

/** For a project that has taken no payment yet. */
export function FirstSteps() {
  const { project, href } = useProject()
  const isLive = project.environment === 'live'
  const card = isLive ? '' : ' -d number=4242424242424242 -d exp_month=12 -d exp_year=2030 -d cvc2=123'
  const lines = [
    `export KEY=${project.id}:YOUR_SECRET_KEY`,
    ...(isLive ? [] : [`curl -u $KEY ${location.origin}/cards${card}`]),
    `curl -u $KEY ${location.origin}/invoices -d name="Order 1" -d amount=29.00 -d currency=${project.default_currency}`,
    `curl -u $KEY ${location.origin}/invoices/iv_…/authorize -d source=card_…`,
  ].join('\n')
  return (
    <Section title={t('overview.first.title')} about={t('overview.first.about')}>
      <List type="ordered" spacing="xs">
        <List.Item>
          {project.manages_api_keys ? (
            <a href={href(['api-keys'])}>{t('overview.first.key')}</a>
          ) : (
            t('overview.first.askKey')
          )}
        </List.Item>
        {isLive && (
          <List.Item>
            <a href={href(['gateways'])}>{t('overview.first.gateway')}</a>
          </List.Item>
        )}
        <List.Item>{t('overview.first.invoice')}</List.Item>
      </List>
      <div className="code-block">
        <Code block>{lines}</Code>
        <Copy text={lines} label={t('common.copy', { what: t('overview.first.lines') })} />
      </div>
    </Section>
  )
}
