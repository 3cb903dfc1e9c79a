export const gateways = {
  title: 'Gateways',
} as const
