export * from './event/contracts.ts';
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
export * from './event/mail-content.ts';
export { brokerSettings } from './broker/broker-settings.ts';
export * from './event/seal.ts';
export * from './consumer/consumer.ts';
export * from './publisher.ts';
export { type QueueDepth } from './broker/queue-depths.ts';
export * from './faces/faces.ts';
export * from './event/published-schema.ts';
export { faceTopologyOf, hookTopologyOf, topologyOf, type Topology } from './broker/topology.ts';
