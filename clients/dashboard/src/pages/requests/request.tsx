import { Code } from '@mantine/core'
import type { ApiRequest } from '../../../../node/src/generated/schemas.ts'
import { HttpStatus } from '../../parts/badges.tsx'
import { Empty, Loading, Page, Problem, Section } from '../../parts/page.tsx'
import { Copy, Facts, Id, Instant, Nothing } from '../../parts/values.tsx'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'

export function RequestPage({ id }: { id: string }) {
  const { href } = useProject()
  const { data, error, refresh } = useRead<{ api_request: ApiRequest }>(`/api-requests/${encodeURIComponent(id)}`)
  const request = data?.api_request
  const back = { href: href(['requests']), words: 'Request log' }
  if (request === undefined)
    return (
      <Page title="Request" back={back}>
        {error ? <Problem error={error} retry={refresh} /> : <Loading />}
      </Page>
    )
  const invoiceId = /\biv_\w+/.exec(request.path)?.[0]
  return (
    <Page
      title={`${request.method} ${request.path}`}
      heading={
        <span className="break small-heading">
          {request.method} {request.path}
        </span>
      }
      about={<HttpStatus status={request.status} />}
      back={back}
    >
      <Section title="Request">
        <Facts
          facts={[
            ['Request id', <Id key="id" id={request.request_id} label="the id of the request" />],
            ['At', <Instant key="at" at={request.created_at} seconds />],
            ['Took', `${request.latency_ms} ms`],
            ['Query', request.query ? <code key="query">{queryText(request.query)}</code> : <Nothing key="none" />],
            ['Error', request.error_type ? <code key="error">{request.error_type}</code> : <Nothing key="none" />],
            ['Idempotency-Key', request.has_idempotency_key ? 'Given' : 'None'],
            ['Key', request.api_key_id ?? 'None: a browser or an app of a customer, or a person'],
            ['From', [request.ip, request.user_agent].filter(Boolean).join(', ') || <Nothing key="none" />],
            ...(invoiceId
              ? [
                  [
                    'Payment',
                    <a key="payment" href={href(['payments', invoiceId])}>
                      {invoiceId}
                    </a>,
                  ] as const,
                ]
              : []),
          ]}
        />
      </Section>
      <Body title="What was sent" body={request.request_body} />
      <Body
        title="Answer"
        body={request.response_body}
        none={request.status < 400 ? 'Only error answers are kept.' : 'It was not kept.'}
      />
    </Page>
  )
}

function Body({ title, body, none = 'Nothing, or it was not kept.' }: { title: string; body: unknown; none?: string }) {
  const text = textOf(body)
  return (
    <Section title={title} actions={text && <Copy text={text} label="Copy" />}>
      {text ? <Code block>{text}</Code> : <Empty title={none} />}
    </Section>
  )
}

/** As it stood in the address; a value that was not kept says so. */
function queryText(query: NonNullable<ApiRequest['query']>): string {
  return Object.entries(query)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}=${value}`))
    .join('&')
}

/** JSON is laid out to be read; any other text stands as it came. */
function textOf(body: unknown): string | null {
  if (body == null || body === '') return null
  try {
    const value = typeof body === 'string' ? JSON.parse(body) : body
    return JSON.stringify(value, null, 2)
  } catch {
    return String(body)
  }
}
