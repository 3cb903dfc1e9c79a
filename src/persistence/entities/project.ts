import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** A merchant's project: owner of everything else, in both environments. */
export const ProjectEntity = defineEntity({
  name: 'Project',
  tableName: 'project',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    /** The currency of what has none of its own, such as the verification of a card. */
    defaultCurrency: p.string().default('USD'),
    /** A gateway may approve less than was asked; without this a payment is then declined and the part voided. */
    acceptsPartialApprovals: p.boolean().default(false),
    createdAt: p.datetime(3),
  },
})

export type ProjectRow = InferEntity<typeof ProjectEntity>
