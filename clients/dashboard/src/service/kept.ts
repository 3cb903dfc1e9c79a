/** What pages keep for one another as long as somebody is signed in, such as how a list was searched: the next person sees none of it. */
export const kept = new Map<string, string>()
