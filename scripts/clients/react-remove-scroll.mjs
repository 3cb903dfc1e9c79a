/** What dialogs get in place of the library that locks the scroll bar: that is a rule of the style sheet (`theme.ts`). */
export const RemoveScroll = ({ children }) => children
RemoveScroll.classNames = { fullWidth: '', zeroRight: '' }
