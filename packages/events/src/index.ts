export * from './event/contracts.ts';
export {
  carriesMail,
  createEventReader,
  eventFacts,
  newEvent,
  newMailEvent,
  publishedSchemaOf,
  readMoment,
  type AnyEvent,
  type GatehouseEvent,
} from './event/event.ts';
export * from './event/mail-content.ts';
export { brokerSettings } from './broker/broker-settings.ts';
export * from './event/seal.ts';
export * from './consumer/consumer.ts';
export * from './publisher.ts';
export { type QueueDepth } from './broker/sender.ts';
export * from './faces/faces.ts';
export { faceTopologyOf, hookTopologyOf, topologyOf, type Topology } from './broker/topology.ts';
