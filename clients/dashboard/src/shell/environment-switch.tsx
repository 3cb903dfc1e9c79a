import { NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { ENVIRONMENTS } from '../../../../domain/environment.ts'
import { go, hashOf } from '../service/route.ts'
import { useProject } from '../service/session.tsx'
import { t } from '../words/words.ts'

/** The id without what marks the sandbox. */
function bareId(projectId: string): string {
  return projectId.replace(/^test-/, '')
}

/** Leads to the same page in the other environment; objects of one are not in the other, so to the list they are in. */
export function EnvironmentSwitch({ page }: { page: string }) {
  const { session, project } = useProject()
  const siblings = session.projects.filter(({ id }) => bareId(id) === bareId(project.id))
  return (
    <SegmentedControl
      className="environment-switch"
      size="xs"
      aria-label={t('shell.environment')}
      value={project.environment}
      onChange={(environment) => {
        const other = siblings.find((sibling) => sibling.environment === environment)
        if (other) go(hashOf(other.id, page === '' ? [] : [page]))
      }}
      data={ENVIRONMENTS.toReversed().map((environment) => ({
        value: environment,
        label: t(`shell.${environment}`),
        disabled: !siblings.some((sibling) => sibling.environment === environment),
      }))}
    />
  )
}

export function ProjectSwitch() {
  const { session, project } = useProject()
  const projects = session.projects.filter(({ environment }) => environment === project.environment)
  if (projects.length < 2)
    return (
      <Text fw={600} size="sm" truncate className="project-name">
        {project.name}
      </Text>
    )
  return (
    <NativeSelect
      className="project-name"
      size="xs"
      aria-label={t('shell.project')}
      value={project.id}
      onChange={(event) => go(hashOf(event.currentTarget.value, []))}
      data={projects.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}
