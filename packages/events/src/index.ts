export {
  contracts,
  eventTypes,
  FaceMatchType,
  isEventType,
  mailingTypes,
  mailKindOf,
  mailKinds,
  type EventData,
  type EventType,
  type MailingType,
  type MailKind,
  type MailKindOf,
} from './event/contracts.ts';
export {
  carriesMail,
  createEventReader,
  eventFacts,
  newEvent,
  newMailEvent,
  readMoment,
  type AnyEvent,
  type GatehouseEvent,
} from './event/event.ts';
export {
  mailContents,
  noticeKinds,
  type MailContent,
  type MailContentOf,
  type NoticeKind,
  type NoticeType,
} from './event/mail-content.ts';
export { brokerSettings } from './broker/broker-settings.ts';
export {
  createSeal,
  createUnseal,
  createHookSeal,
  createHookUnseal,
  type Seal,
  type Unseal,
  type OpenHookSecret,
  type SealHookSecret,
} from './event/seal.ts';
export { Consumer, type ConsumerOptions, type Outcome } from './consumer/consumer.ts';
export { createPublisher, type Publisher } from './publisher.ts';
export { type QueueDepth } from './broker/queue-depths.ts';
export {
  BoundingBox,
  createFaceReportReader,
  faceFields,
  Share,
  createFaceReporter,
  type FaceReport,
  type FaceReporter,
} from './faces/faces.ts';
export { publishedSchemaOf } from './event/published-schema.ts';
export { faceTopologyOf, hookTopologyOf, topologyOf, type Topology } from './broker/topology.ts';
