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
  eventFacts,
  newEvent,
  newMailEvent,
  type AnyEvent,
  type GatehouseEvent,
} from './event.ts';
export {
  mailContents,
  mailKinds,
  type MailContent,
  type MailContentOf,
  type MailKind,
} from './mail-content.ts';
export { brokerSettings } from './broker-settings.ts';
export { createSeal, createUnseal, type Seal, type Unseal } from './seal.ts';
export { Consumer, type ConsumerOptions, type Outcome } from './consumer.ts';
export { createPublisher, type Publisher } from './publisher.ts';
export { type QueueDepth } from './queue-depths.ts';
export { FaceMatchType } from './face-match-type.ts';
export { BoundingBox, createFaceReportReader, faceFields, Share, type FaceReport } from './face-report.ts';
export { createFaceReporter, type FaceReporter } from './face-reporter.ts';
export { publishedSchemaOf } from './published-schema.ts';
export { readMoment } from './read-moment.ts';
export { faceTopologyOf, topologyOf, type Topology } from './topology.ts';
