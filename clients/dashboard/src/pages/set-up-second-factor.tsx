import { Page } from '../parts/page.tsx'
import { SecondFactors } from '../parts/second-factors.tsx'
import { useProject } from '../service/session.tsx'
import { marks, t } from '../words/words.ts'

/** In place of all pages of a project that requires a second factor, for a person who has none. */
export function SetUpSecondFactor() {
  const { project } = useProject()
  return (
    <Page
      title={t('account.factor.setUp')}
      about={t.rich('account.factor.setUpAbout', { ...marks, project: project.name })}
    >
      <SecondFactors />
    </Page>
  )
}
