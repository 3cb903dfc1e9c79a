import { Button, Code, CopyButton } from '@mantine/core'
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons'
import type { ApiRequest } from '../../../../node/src/generated/schemas.ts'
import { HttpStatus } from '../../parts/badges.tsx'
import { Empty, Loading, Page, Problem, Section } from '../../parts/page.tsx'
import { Copy, ErrorCode, Facts, Id, Instant, Nothing } from '../../parts/values.tsx'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'
import { curlOf, invoiceOf } from './curl.ts'

export function RequestPage({ id }: { id: string }) {
  const { href, project } = useProject()
  const { data, error, refresh } = useRead<{ api_request: ApiRequest }>(`/api-requests/${encodeURIComponent(id)}`)
  const request = data?.api_request
  const back = { path: ['requests'], words: t('requests.title') }
  if (request === undefined)
    return (
      <Page title={t('requests.request')} back={back}>
        {error ? <Problem error={error} retry={refresh} /> : <Loading />}
      </Page>
    )
  const invoiceId = invoiceOf(request)
  const curl = curlOf(request, location.origin, project.id)
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
      actions={
        curl !== null && (
          <CopyButton value={curl} timeout={1_500}>
            {({ copied, copy }) => (
              <Button variant="default" leftSection={copied ? <CheckIcon /> : <CopyIcon />} onClick={copy}>
                {copied ? t('common.copied') : t('requests.curl')}
              </Button>
            )}
          </CopyButton>
        )
      }
    >
      <Section title={t('requests.request')}>
        <Facts
          facts={[
            [t('requests.requestId'), <Id key="id" id={request.request_id} label={t('requests.idOfRequest')} />],
            [t('requests.at'), <Instant key="at" at={request.created_at} seconds />],
            [t('requests.took'), t('requests.milliseconds', { ms: request.latency_ms })],
            [
              t('requests.query'),
              request.query ? <code key="query">{queryText(request.query)}</code> : <Nothing key="none" />,
            ],
            [
              t('requests.error'),
              request.error_type ? <ErrorCode key="error" code={request.error_type} /> : <Nothing key="none" />,
            ],
            ['Idempotency-Key', request.has_idempotency_key ? t('requests.given') : t('common.none')],
            [t('requests.key'), request.api_key_id ?? t('requests.noKey')],
            [
              t('requests.from'),
              <bdi key="from">{[request.ip, request.user_agent].filter(Boolean).join(', ') || <Nothing />}</bdi>,
            ],
            ...(invoiceId
              ? [
                  [
                    t('common.payment'),
                    <a key="payment" href={href(['payments', invoiceId])}>
                      {invoiceId}
                    </a>,
                  ] as const,
                ]
              : []),
          ]}
        />
      </Section>
      <Body title={t('requests.sent')} body={request.request_body} />
      <Body
        title={t('requests.answer')}
        body={request.response_body}
        none={t(request.status < 400 ? 'requests.onlyErrors' : 'requests.notKept')}
      />
    </Page>
  )
}

function Body({ title, body, none = t('requests.nothing') }: { title: string; body: unknown; none?: string }) {
  const text = textOf(body)
  return (
    <Section
      title={title}
      actions={text && <Copy text={text} label={t('common.copy', { what: t('requests.text') })} />}
    >
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
