import { endpoint, section } from '../../http/endpoint.ts'
import { project } from '../../objects/project.ts'
import { ok } from '../answers.ts'
import { project as example } from '../examples/settings.ts'
import { retrieveProject } from './projects.ts'

export const PROJECTS = section({ tag: 'Projects', says: 'Your project.' }, [
  endpoint('GET /projects/:id', {
    id: 'retrieveProject',
    method: 'projects.retrieve',
    summary: 'Retrieve your project',
    access: { permission: 'read' },
    description: 'By the id that is the user of your key, `proj_…` or `test-proj_…`. Other projects are unknown.',
    answers: ok('The project.', { project }, { project: example }),
    refuses: [['resource.project.not-found', 'it is not the project of the key']],
    run: retrieveProject,
  }),
])
