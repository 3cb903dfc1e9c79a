export const routing = {
  title: 'Routing rules',
} as const
