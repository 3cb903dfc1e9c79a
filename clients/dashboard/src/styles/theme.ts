import { Alert, createTheme, Modal, PasswordInput, Tooltip } from '@mantine/core'
import { t } from '../words/words.ts'

const ALERT_TONES: Readonly<Record<string, string>> = { red: 'bad', yellow: 'waiting', green: 'good' }

const NO_BANNER = { header: { role: 'presentation' } }

/** What the style sheet cannot say. Colours, fonts and radii are in variables.css. */
export const theme = createTheme({
  primaryColor: 'indigo',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Alert: Alert.extend({
      vars: (_, { color = 'neutral' }) => {
        const tone = ALERT_TONES[color] ?? 'neutral'
        return { root: { '--alert-bg': `var(--${tone}-surface)`, '--alert-color': `var(--${tone})` } }
      },
    }),
    // Its lock of the scroll bar would write a style into the page; the style sheet has a rule for that. Its title stands in a
    // header, which would be a second banner of the page.
    Modal: Modal.extend({
      defaultProps: {
        lockScroll: false,
        centered: true,
        closeButtonProps: { 'aria-label': t('common.close') },
        attributes: NO_BANNER,
      },
    }),
    Drawer: { defaultProps: { lockScroll: false, attributes: NO_BANNER } },
    PasswordInput: PasswordInput.extend({
      defaultProps: {
        // Without these it cannot be reached by keyboard.
        visibilityToggleButtonProps: {
          tabIndex: 0,
          'aria-hidden': false,
          'aria-label': t('common.showPassword'),
        },
      },
    }),
    // Where its button is, so that it belongs to the same part of the page; and with nothing in it but what can be chosen.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    Tooltip: Tooltip.extend({
      defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true }, multiline: true },
    }),
  },
})
