import { Stack } from '@mantine/core'
import { Problem } from '../parts/page.tsx'
import { ApiError } from '../service/api.ts'
import { useSession } from '../service/session.tsx'
import { t } from '../words/words.ts'
import { EntranceCard } from './entrance-card.tsx'

const NO_PROJECT = new ApiError(403, {
  message: t('account.noProject'),
})

/** In place of everything, where the service does not answer or the person sees no project. */
export function Unreachable({ error = NO_PROJECT, retry }: { error?: ApiError; retry?: () => Promise<void> }) {
  const { signOut } = useSession()
  return (
    <EntranceCard title="Holdfast">
      <Stack>
        <Problem error={error} retry={retry ?? (() => signOut())} />
      </Stack>
    </EntranceCard>
  )
}
