export const books = {
  title: 'Books',
} as const
