import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { SWRConfig } from 'swr'
import type { Session } from '../../../src/dashboard/contract.ts'
import { CurrentPage } from './pages/current-page.tsx'
import { Join } from './pages/join.tsx'
import { NewPassword } from './pages/new-password.tsx'
import { SecondFactor } from './pages/second-factor.tsx'
import { SetUpSecondFactor } from './pages/set-up-second-factor.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { Unreachable } from './pages/unreachable.tsx'
import { Defect } from './parts/defect.tsx'
import { unsay } from './parts/said.ts'
import { kept } from './service/kept.ts'
import { go, hashOf, useRoute } from './service/route.ts'
import { ProjectProvider, SessionProvider, useSession } from './service/session.tsx'
import { Shell } from './shell/shell.tsx'
import { theme } from './styles/theme.ts'

export function App() {
  return (
    // Its variables are in the style sheet: the content security policy allows no style that is written into the page.
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <Defect>
        <SessionProvider>
          <Entrance />
        </SessionProvider>
      </Defect>
      <Notifications position="bottom-right" limit={3} />
    </MantineProvider>
  )
}

function Entrance() {
  const { state, refresh } = useSession()
  const { projectId: link, path } = useRoute()
  const [token] = path
  if (state.kind === 'signed-in' && state.session.needs_second_factor) return <SecondFactor session={state.session} />
  if (token !== undefined && state.kind !== 'loading') {
    if (link === 'join') return <Join key={token} token={token} />
    if (link === 'password') return <NewPassword key={token} token={token} />
  }
  switch (state.kind) {
    case 'loading':
      return null
    case 'unreachable':
      return <Unreachable error={state.error} retry={refresh} />
    case 'signed-out':
      return <SignIn ended={state.ended} />
    case 'signed-in':
      return <Inside session={state.session} />
  }
}

/** The pages of the project in the address; without one, of the sandbox that comes first. */
function Inside({ session }: { session: Session }) {
  const route = useRoute()
  const { projects } = session
  const project = projects.find(({ id }) => id === route.projectId)
  const first = projects.find(({ environment }) => environment === 'sandbox') ?? projects[0]
  useEffect(() => {
    if (project === undefined && first !== undefined) go(hashOf(first.id, []), { replace: true })
  }, [project, first])
  useEffect(
    () => () => {
      kept.clear()
      unsay()
    },
    [],
  )
  if (first === undefined) return <Unreachable />
  if (project === undefined) return null
  const { code_generator: hasCodes, passkeys } = session.second_factors
  const needsFactor = project.requires_second_factor && !hasCodes && passkeys.length === 0
  return (
    // What was read is forgotten with the session: the next person may see less.
    <SWRConfig value={{ provider: () => new Map() }}>
      <ProjectProvider session={session} project={project} key={project.id}>
        <Shell route={route}>
          {needsFactor && route.path[0] !== 'account' ? <SetUpSecondFactor /> : <CurrentPage route={route} />}
        </Shell>
      </ProjectProvider>
    </SWRConfig>
  )
}
