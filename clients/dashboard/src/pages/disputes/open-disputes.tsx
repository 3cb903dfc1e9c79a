import { Alert } from '@mantine/core'
import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import type { OpenDisputes } from '../../../../../src/dashboard/contract.ts'
import { Deadline } from '../../parts/values.tsx'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'

/** How many disputes wait for an answer; read once for navigation and overview together. */
export function useOpenDisputes(): OpenDisputes | undefined {
  return useRead<OpenDisputes>('/dashboard/disputes/open', { every: 60_000 }).data
}

/** For the overview: nothing where nothing must be answered. */
export function DisputesToAnswer() {
  const { href } = useProject()
  const open = useOpenDisputes()
  if (open === undefined || open.to_answer === 0) return null
  const at = open.first_due_at
  return (
    <Alert
      color="red"
      icon={<ExclamationTriangleIcon />}
      title={<a href={href(['disputes'])}>{t('disputes.toAnswer', { count: open.to_answer })}</a>}
    >
      {at !== null && t.rich('disputes.first', { at: () => <Deadline at={at} /> })}
    </Alert>
  )
}
