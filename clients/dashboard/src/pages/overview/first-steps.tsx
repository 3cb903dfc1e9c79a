import { Code, List } from '@mantine/core'
import { Section } from '../../parts/page.tsx'
import { Copy } from '../../parts/values.tsx'
import { useProject } from '../../service/session.tsx'

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
    <Section title="Take the first payment" about="Nothing was paid here in these days.">
      <List type="ordered" spacing="xs">
        <List.Item>
          {project.manages_api_keys ? (
            <a href={href(['api-keys'])}>Create an API key</a>
          ) : (
            'Ask an owner for an API key'
          )}
        </List.Item>
        {isLive && (
          <List.Item>
            <a href={href(['gateways'])}>Set up your account at a gateway</a>
          </List.Item>
        )}
        <List.Item>Create an invoice, and authorize it:</List.Item>
      </List>
      <div className="code-block">
        <Code block>{lines}</Code>
        <Copy text={lines} label="Copy the lines" />
      </div>
    </Section>
  )
}
