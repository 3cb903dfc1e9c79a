import { EVENT_NAMES, type EventName } from '../../domain/webhook-event.ts'
import { value } from './object.ts'
import { word } from './shown.ts'

export const eventName = value(
  'EventName',
  word(
    Object.keys(EVENT_NAMES) as EventName[],
    'The name of an event. Later versions add names: answer 2xx to those that you do not know.',
  ),
)
