/** The frame of a page: its title, what can be done there, and what stands there instead of its content. */
import { Alert, Anchor, Button, EmptyState, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { ArrowLeftIcon, ExclamationTriangleIcon } from '@radix-ui/react-icons'
import { type ReactNode, useEffect, useRef } from 'react'
import type { ApiError } from '../service/api.ts'
import { lastHashOf } from '../service/route.ts'
import { useProject } from '../service/session.tsx'
import { failureOf, isolated, marks, t } from '../words/words.ts'

export interface PageProps {
  title: string
  /** What the title is shown as, where it is more than its words. */
  heading?: ReactNode
  about?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  /** False where the role of the person only looks: the page says so, where others find buttons. */
  mayChange?: boolean
  /** The page above this one; where it is a list, as it was searched. */
  back?: { path: readonly string[]; words: string }
  children: ReactNode
}

export function Page({ title, heading, about, actions, mayChange = true, back, children }: PageProps) {
  const { project } = useProject()
  const top = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${isolated(title)} · ${t(`shell.${project.environment}`)} · ${isolated(project.name)}`
  }, [title, project])
  return (
    <div className="page">
      {back && (
        <Anchor href={lastHashOf(project.id, back.path)} className="back" size="sm">
          <ArrowLeftIcon aria-hidden /> {back.words}
        </Anchor>
      )}
      <div className="page-head">
        <div className="page-title">
          <Title order={1} ref={top} tabIndex={-1} id="page-title">
            {heading ?? title}
          </Title>
          {about && (
            <Text c="dimmed" component="div">
              {about}
            </Text>
          )}
          {!mayChange && (
            <Text c="dimmed" size="sm">
              {t('common.onlyLook')}
            </Text>
          )}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

/** A part of a page with a heading. */
export function Section({
  title,
  about,
  actions,
  children,
  flush = false,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** Whether the content reaches the border, as tables do. */
  flush?: boolean
}) {
  return (
    <Paper component="section" withBorder className={flush ? 'section flush' : 'section'} aria-label={title}>
      <div className="section-head">
        <div>
          <Title order={2}>{title}</Title>
          {about && (
            <Text size="sm" c="dimmed" component="div">
              {about}
            </Text>
          )}
        </div>
        {actions && <div className="section-actions">{actions}</div>}
      </div>
      <div className="section-body">{children}</div>
    </Paper>
  )
}

/** What went wrong and what to do about it. */
export function Problem({ error, retry }: { error: ApiError; retry?: () => unknown }) {
  const { title, advice, isWhole } = explain(error)
  return (
    <Alert color="red" icon={<ExclamationTriangleIcon />} title={title} role="alert" className="problem">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {!isWhole && (failureOf(error.errorType)?.meaning ?? error.message)} {advice}
        </Text>
        {error.invalidFields.length > 1 && (
          <ul className="plain">
            {error.invalidFields.map(({ name, message }) => (
              <li key={name + message}>
                <code>{name}</code> {message}
              </li>
            ))}
          </ul>
        )}
        {error.requestId !== null && (
          <Text size="xs" c="dimmed">
            {t.rich('common.problem.request', { ...marks, id: error.requestId })}
          </Text>
        )}
        {retry && (
          <Button size="xs" variant="default" onClick={() => void retry()}>
            {t('common.tryAgain')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** What people type about accounts, by its name in the service: what is wrong with it is told in the reader's language. */
const ACCOUNT_FIELDS = {
  current_password: 'common.problem.wrongCurrentPassword',
  code: 'common.problem.wrongCode',
  recovery_code: 'common.problem.wrongRecoveryCode',
  passkey: 'common.problem.wrongPasskey',
  password: 'common.problem.weakPassword',
  new_password: 'common.problem.weakPassword',
  email: 'common.problem.isMember',
} as const

/** Of links that no longer work: whether their time is over, or they were used. */
const ENDED_LINK = /^resource\.(?:invitation|password-reset)\.(expired|not-found)$/

interface Explained {
  title: string
  advice: string
  /** Whether they say all that the service says, which says it in English only. */
  isWhole?: true
}

function explain({ status, errorType, invalidFields, retryAfterSeconds }: ApiError): Explained {
  const tryAgain =
    retryAfterSeconds === null
      ? t('common.problem.trySoon')
      : t('common.problem.tryInSeconds', { seconds: retryAfterSeconds })
  if (status === 0) return { title: t('common.problem.noConnection'), advice: '' }
  if (errorType === 'request.authentication.sign-in-locked')
    return {
      title: t('common.problem.locked'),
      advice: t('common.problem.lockedAdvice', { minutes: Math.ceil((retryAfterSeconds ?? 60) / 60) }),
      isWhole: true,
    }
  if (errorType === 'request.authentication.sign-in-refused')
    return { title: t('common.problem.wrongPassword'), advice: '', isWhole: true }
  if (errorType === 'request.rate.exceeded')
    return { title: t('common.problem.tooMany'), advice: tryAgain, isWhole: true }
  if (status === 429) return { title: t('common.problem.tooMany'), advice: tryAgain }
  if (errorType === 'request.authentication.missing-permission')
    return { title: t('common.problem.notAllowed'), advice: t('common.problem.notAllowedAdvice') }
  if (errorType === 'request.authentication.not-own-page')
    return { title: t('common.problem.otherPage'), advice: t('common.problem.otherPageAdvice'), isWhole: true }
  if (errorType === 'request.validation.invalid-email')
    return { title: t('common.problem.noEmail'), advice: '', isWhole: true }
  const [typed] = Object.entries(ACCOUNT_FIELDS).filter(([field]) => invalidFields.some(({ name }) => name === field))
  if (typed !== undefined) return { title: t(typed[1]), advice: '', isWhole: true }
  const [, ended] = ENDED_LINK.exec(errorType) ?? []
  if (ended !== undefined) {
    const cause = t(ended === 'expired' ? 'common.problem.linkExpired' : 'common.problem.linkUsed')
    return { title: t('common.problem.linkEnded'), advice: `${cause} ${t('common.problem.linkAdvice')}`, isWhole: true }
  }
  if (status === 404)
    return { title: t('common.problem.notFound'), advice: t('common.problem.notFoundAdvice'), isWhole: true }
  if (status === 409) return { title: t('common.problem.underWay'), advice: tryAgain }
  if (status === 410) return { title: t('common.problem.declined'), advice: '' }
  if (status >= 500)
    return { title: t('common.problem.failed'), advice: `${t('common.problem.failedAdvice')} ${tryAgain}` }
  return { title: t('common.problem.other'), advice: '' }
}

/** A list without entries: why, and what to do. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <EmptyState size="sm" className="empty" title={title} description={children}>
      {action && <EmptyState.Actions>{action}</EmptyState.Actions>}
    </EmptyState>
  )
}

/** Holds the place of what is being read. */
export function Loading({ lines = 5 }: { lines?: number }) {
  return (
    <div className="loading" role="status" aria-label={t('common.loading')}>
      {Array.from({ length: lines }, (_, line) => (
        // Lines have no identity of their own.
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order
        <Skeleton key={line} height={20} radius="sm" />
      ))}
    </div>
  )
}
