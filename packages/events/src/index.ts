export {
  contracts,
  eventTypes,
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
export { createSeal, createUnseal, type Seal, type Unseal } from './event/seal.ts';
export {
  createHookSeal,
  createHookUnseal,
  type OpenHookSecret,
  type SealHookSecret,
} from './event/hook-secret.ts';
export { Consumer, type ConsumerOptions, type Outcome } from './consumer/consumer.ts';
export { createPublisher, type Publisher } from './publisher.ts';
export { type QueueDepth } from './broker/queue-depths.ts';
export { FaceMatchType } from './faces/face-match-type.ts';
export {
  BoundingBox,
  createFaceReportReader,
  faceFields,
  Share,
  type FaceReport,
} from './faces/face-report.ts';
export { createFaceReporter, type FaceReporter } from './faces/face-reporter.ts';
export { publishedSchemaOf } from './event/published-schema.ts';
export { readMoment } from './event/read-moment.ts';
export { faceTopologyOf, hookTopologyOf, topologyOf, type Topology } from './broker/topology.ts';
