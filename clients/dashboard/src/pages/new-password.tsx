import { Button, Stack } from '@mantine/core'
import { PasswordForm } from '../parts/password-form.tsx'
import { useSession } from '../service/session.tsx'
import { EntranceCard } from './entrance-card.tsx'

/** The first password was made by somebody else, so it is changed before anything is shown. */
export function NewPassword() {
  const { signOut } = useSession()
  return (
    <EntranceCard title="Choose a password" about="The one that you were given was for signing in once.">
      <Stack>
        <PasswordForm />
        <Button variant="subtle" color="gray" onClick={() => void signOut()}>
          Sign out
        </Button>
      </Stack>
    </EntranceCard>
  )
}
