/** Values as they stand on every page. */
import { ActionIcon, Anchor, CopyButton, DataList, Text, Tooltip } from '@mantine/core'
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons'
import { type ReactNode, useEffect, useState } from 'react'
import { coming, deadline, distance, instant, money, utc, zoneAt } from '../words/format.ts'
import { schemeWords } from '../words/status.ts'
import { t } from '../words/words.ts'

export function Money({ amount, currency }: { amount: string; currency: string }) {
  return <span className="money">{money(amount, currency)}</span>
}

/** An instant in the zone of the reader; in UTC for who points at it. */
export function Instant({ at, seconds = false }: { at: string; seconds?: boolean }) {
  return (
    <Tooltip label={utc(at)} openDelay={200}>
      <time dateTime={at} className="instant">
        {instant(at, { seconds })}
      </time>
    </Tooltip>
  )
}

/** An instant at which somebody else ends something, with the zone in which it is shown. */
export function ZonedInstant({ at }: { at: string }) {
  return (
    <>
      <Instant at={at} /> {zoneAt(at)}
    </>
  )
}

/** How long ago it was, or how long it takes to come; the instant itself for who points at it. */
export function Distance({ at, of = distance }: { at: string; of?: typeof distance }) {
  const now = useNow()
  return (
    <Tooltip label={`${instant(at, { seconds: true })} · ${utc(at)}`} openDelay={200}>
      <time dateTime={at} className="instant">
        {of(at, now)}
      </time>
    </Tooltip>
  )
}

/** Until when something has to be done; the same. */
export function Deadline({ at }: { at: string }) {
  return <Distance at={at} of={deadline} />
}

/** When something is tried next; the same. */
export function Coming({ at }: { at: string }) {
  return <Distance at={at} of={coming} />
}

/** The present, to the half minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/**
 * An id, to be copied.
 *
 * @param shown in place of the whole id.
 */
export function Id({ id, shown = id, label = t('common.id') }: { id: string; shown?: string; label?: string }) {
  return (
    <span className="id">
      <code>{shown}</code>
      <Copy text={id} label={t('common.copy', { what: label })} />
    </span>
  )
}

export function Copy({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('common.copied') : label}>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={copied ? t('common.copied') : label}
            onClick={copy}
          >
            {copied ? <CheckIcon /> : <CopyIcon />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}

export function CardName({ scheme, last4 }: { scheme: string | null; last4: string | null }) {
  if (last4 === null) return <Nothing />
  return (
    <span className="nowrap">
      {scheme === null ? t('common.card.unknown') : schemeWords(scheme)} <span aria-hidden>••••</span>
      <span className="hidden-words">{t('common.card.endingIn')}</span> {last4}
    </span>
  )
}

/** In place of a value that there is not. */
export function Nothing() {
  return (
    <Text span c="dimmed" className="nothing" aria-label={t('common.none')}>
      –
    </Text>
  )
}

/** An error code, which leads to what the service says of it. */
export function ErrorCode({ code }: { code: string }) {
  return (
    <Outside href={`../docs/errors#${code}`}>
      <code>{code}</code>
    </Outside>
  )
}

/** A name and a value, in a list of such. */
export function Facts({ facts }: { facts: readonly (readonly [ReactNode, ReactNode])[] }) {
  return (
    <DataList className="facts">
      {facts.map(([name, value], place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name may stand twice, and a list keeps its order
        <DataList.Item key={place}>
          <DataList.ItemLabel>{name}</DataList.ItemLabel>
          <DataList.ItemValue>{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  )
}

export function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" inherit>
      {children}
    </Anchor>
  )
}
