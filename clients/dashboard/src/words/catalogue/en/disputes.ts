export const disputes = {
  title: 'Disputes',
} as const
