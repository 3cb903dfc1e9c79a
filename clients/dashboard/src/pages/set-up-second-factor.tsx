import { Page } from '../parts/page.tsx'
import { SecondFactors } from '../parts/second-factors.tsx'
import { useProject } from '../service/session.tsx'

/** In place of all pages of a project that requires a second factor, for a person who has none. */
export function SetUpSecondFactor() {
  const { project } = useProject()
  return (
    <Page
      title="Set up a second factor"
      about={`${project.name} is open to people who have one beside their password.`}
    >
      <SecondFactors />
    </Page>
  )
}
