/** What is stored of the browser in which a card was entered. All of it tells of a person. */
export const DEVICE_FIELDS = [
  'ip_address',
  'user_agent',
  'header_accept',
  'header_referer',
  'app_color_depth',
  'app_java_enabled',
  'app_language',
  'app_screen_height',
  'app_screen_width',
  'app_timezone_offset',
] as const
