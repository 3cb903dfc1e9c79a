import { measureLists } from '../reads/measure-lists.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'lists',
  title: 'Lists',
  about: 'Every list that grows with payments, for a project of 1,000,000 payments beside one of 10,000.',
  stage: 'together',
  run: measureLists,
}
