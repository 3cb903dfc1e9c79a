import { measureDashboard } from '../reads/measure-dashboard.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'dashboard',
  title: 'Dashboard',
  about: 'What the pages of the dashboard ask, one at a time, in a project of 1,000,000 payments, and the first view.',
  stage: { apis: 1, workers: 1 },
  run: measureDashboard,
}
