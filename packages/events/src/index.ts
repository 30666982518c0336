export {
  contracts,
  eventTypes,
  isEventType,
  mailingTypes,
  mailKindOf,
  type EventData,
  type EventType,
  type MailingType,
  type MailKindOf,
} from './contracts.ts';
export {
  carriesMail,
  createEventReader,
  newEvent,
  newMailEvent,
  schemaOf,
  type AnyEvent,
  type GatehouseEvent,
} from './event.ts';
export { mailContents, type MailContent, type MailContentOf, type MailKind } from './mail-content.ts';
export { createSeal, type Seal } from './seal.ts';
export { Consumer, type ConsumerOptions, type Outcome } from './consumer.ts';
export { createPublisher, type Publisher } from './publisher.ts';
export { topologyOf, type Topology } from './topology.ts';
