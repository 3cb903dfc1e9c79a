import { Text } from '@mantine/core'
import type { Webhook } from '../../../node/src/generated/schemas.ts'
import { failureWords } from '../words/status.ts'
import { t } from '../words/words.ts'
import { HttpStatus } from './badges.tsx'
import { Coming, Instant } from './values.tsx'

/** The attempts of a webhook, the latest first, and when the next one is due. */
export function Attempts({ webhook }: { webhook: Webhook }) {
  const attempts = (webhook.attempts ?? []).toReversed()
  return (
    <ul className="attempts">
      {webhook.status === 'pending' && webhook.release_at && (
        <li>
          <Text size="sm">
            {t.rich('webhooks.attempt.next', { at: () => <Coming at={webhook.release_at ?? ''} /> })}
          </Text>
        </li>
      )}
      {attempts.map(
        ({ id, run, attempt, response_code, response_body, response_time_ms, failure_reason, started_at }) => (
          <li key={id}>
            <Text size="sm" component="div" className="attempt">
              <Instant at={started_at} seconds />
              {response_code && <HttpStatus status={response_code} />}
              <span>
                {after(
                  failure_reason ? failureWords(failure_reason) : t('webhooks.attempt.accepted'),
                  response_time_ms,
                )}
              </span>
              <Text span size="xs" c="dimmed">
                {run > 0 && t('webhooks.attempt.again', { run })}{' '}
                {attempt === 0 ? t('webhooks.attempt.first') : t('webhooks.attempt.retry', { attempt })}
              </Text>
            </Text>
            {response_body && <Answer text={response_body} />}
          </li>
        ),
      )}
      {attempts.length === 0 && webhook.status !== 'pending' && (
        <li>
          <Text size="sm" c="dimmed">
            {t('webhooks.attempt.gone')}
          </Text>
        </li>
      )}
    </ul>
  )
}

const after = (result: string, ms: number | null) =>
  ms === null ? result : t('webhooks.attempt.after', { result, ms })

function Answer({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <pre className="answer" tabIndex={0}>
      {text}
    </pre>
  )
}
